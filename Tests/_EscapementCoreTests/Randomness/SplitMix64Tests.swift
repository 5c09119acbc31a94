import Testing
import _EscapementCore

@Suite struct SplitMix64Tests {
  @Test func `the numbers are those of the published algorithm`() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `each index below a bound is drawn about as often`() {
    var generator = SplitMix64(seed: 1)
    var counts = [0, 0, 0]
    for _ in 0..<3_000 { counts[generator.index(below: 3)] += 1 }
    #expect(counts.allSatisfy { (900...1_100).contains($0) })
    #expect(counts.reduce(0, +) == 3_000)
  }
}
