import Testing
import _EscapementCore

@testable import EscapementModels

@Suite struct NumberSetTests {
  @Test(arguments: 0..<5 as Range<UInt64>)
  func `sets are equal if they have the same numbers, whatever came before`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (set, model) = (NumberSet(), Set<Int>())
    var all: [Set<Int>: NumberSet] = [:]
    for _ in 0..<3_000 {
      // Mostly the smallest numbers that are not in it, as in a search.
      let number =
        random.index(below: 10) == 0
        ? random.index(below: 400) : (0...).first { !model.contains($0) }!
      if model.count < 390, random.index(below: 4) > 0 {
        set.insert(number)
        model.insert(number)
      } else if let number = model.max() {
        set.remove(number)
        model.remove(number)
      }
      if let known = all[model] { #expect(known == set, "seed \(seed)") }
      all[model] = set
    }
    #expect(Set(all.values).count == all.count)
  }
}
