import TestSupport
import Testing

@testable import Escapement

@Suite struct SparePermitsTests {
  @Test func `permits of a key expire one by one`() {
    var spares = SparePermits()
    spares.add(1, for: "a", now: 0, until: 10)
    spares.add(2, for: "a", now: 5, until: 15)
    var others = spares
    #expect(spares.take(3, for: "a", now: 9) == true)
    #expect(others.take(3, for: "a", now: 10) == false)
    #expect(others.take(2, for: "a", now: 14) == true)
    #expect(others.take(1, for: "a", now: 14) == false)
  }

  @Test func `spares that expire leave nothing behind`() {
    var spares = SparePermits()
    for number in 0..<1_000 as Range<Int64> {
      spares.add(1, for: "\(number)", now: number, until: number + 10)
      #expect(spares.counts.keys <= 10)
      #expect(spares.counts.ends <= 10)
    }
    #expect(spares.take(1, for: "999", now: 999) == true)
    #expect(spares.counts.keys == 9)
  }

  @Test func `permits are taken as in a model that keeps each of them`() {
    forAllSeeds { generator in
      var spares = SparePermits()
      var model: [(key: String, end: Int64)] = []
      var now: Int64 = 0
      for _ in 0..<60 {
        now += .random(in: 0...2, using: &generator)
        let key = ["a", "b"].randomElement(using: &generator)!
        let permits = Int.random(in: 1...3, using: &generator)
        if Bool.random(using: &generator) {
          spares.add(permits, for: key, now: now, until: now + 5)
          for _ in 0..<permits { model.append((key, now + 5)) }
        } else {
          model.removeAll { $0.end <= now }
          let isEnough = model.count { $0.key == key } >= permits
          try require(spares.take(permits, for: key, now: now) == isEnough, "at \(now)")
          if isEnough {
            for _ in 0..<permits { model.remove(at: model.firstIndex { $0.key == key }!) }
          }
        }
      }
    }
  }
}
