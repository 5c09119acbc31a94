import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite struct WideIntegerTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `agrees with arithmetic in 128 bits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func number() -> Int64 {
      .random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random)
    }
    for _ in 0..<500 {
      let (a, b, c, d) = (number(), number(), number() >> 1, number() >> 1)
      let (wide, other) = (WideInteger(a, times: c), WideInteger(b, times: d))
      let (exact, exactOther) = (Int128(a) * Int128(c), Int128(b) * Int128(d))
      #expect((wide + other).clamped == Int64(clamping: exact + exactOther))
      #expect((wide - other).clamped == Int64(clamping: exact - exactOther))
      #expect((wide < other) == (exact < exactOther))
      #expect((wide == other) == (exact == exactOther))
      if exact >= 0, b > 0 {
        #expect(wide.dividedSaturating(by: b) == Int64(clamping: exact / Int128(b)))
      }
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `a number of 64 bits is kept, and one more or less is clamped`(value: Int64) {
    #expect(WideInteger(value).clamped == value)
    #expect((WideInteger(.max) + WideInteger(1)).clamped == .max)
    #expect((WideInteger(.min) - WideInteger(1)).clamped == .min)
  }

  @Test func `a quotient of more than 64 bits is the largest`() {
    let largest = WideInteger(.max, times: .max)
    #expect(largest.dividedSaturating(by: .max) == .max)
    #expect(largest.dividedSaturating(by: 2) == .max)
    #expect(largest.dividedSaturating(by: 1) == .max)
  }
}
