import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

@Suite struct NanosecondsTests {
  private let attosecond = Duration(attoseconds: 1)

  @Test(arguments: [0, 1, 2, 999_999_999, 1_000_000_000, 1_000_000_001, Int64.max - 1, .max])
  func `whole nanoseconds are kept`(nanoseconds: Int64) {
    #expect(Nanoseconds(roundingUp: .nanoseconds(nanoseconds)) == nanoseconds)
    #expect(nanoseconds.duration == .nanoseconds(nanoseconds))
  }

  @Test(arguments: [0, 1, 999_999_999, 123_456_789_012_345, Int64.max - 2])
  func `a part of a nanosecond counts as a whole one, so that no sleep ends early`(whole: Int64) {
    let exact = Duration.nanoseconds(whole)
    #expect(Nanoseconds(roundingUp: exact + attosecond) == whole + 1)
    #expect(Nanoseconds(roundingUp: exact + .nanoseconds(1) - attosecond) == whole + 1)
  }

  @Test func `durations beyond the range become the largest value`() {
    let last = Duration.nanoseconds(Int64.max)
    #expect(Nanoseconds(roundingUp: last - attosecond) == .max)
    #expect(Nanoseconds(roundingUp: last) == .max)
    #expect(Nanoseconds(roundingUp: last + attosecond) == .max)
    #expect(Nanoseconds(roundingUp: .seconds(Int64.max)) == .max)
    #expect(Nanoseconds(roundingUp: Duration(attoseconds: .max)) == .max)
  }

  @Test func `around the end of the fast path nothing jumps`() {
    // 500,000,000 x 2^64 attoseconds is where the division would overflow.
    let edge = Duration(attoseconds: Int128(500_000_000) << 64)
    for distance in -3...3 as ClosedRange<Int64> {
      let duration = edge + .nanoseconds(distance)
      let exact =
        duration.attoseconds / 1_000_000_000
        + (duration.attoseconds % 1_000_000_000 > 0 ? 1 : 0)
      #expect(Nanoseconds(roundingUp: duration) == Int64(clamping: exact))
    }
  }

  @Test func `negative durations are rounded up as well, and saturate`() {
    #expect(Nanoseconds(roundingUp: .nanoseconds(-1)) == -1)
    #expect(Nanoseconds(roundingUp: .zero - attosecond) == 0)
    #expect(Nanoseconds(roundingUp: .nanoseconds(-1) - attosecond) == -1)
    #expect(Nanoseconds(roundingUp: .seconds(Int64.min)) == .min)
    #expect(Nanoseconds(roundingUp: Duration(attoseconds: .min)) == .min)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `agrees with plain division`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let bits = Int.random(in: 1...126, using: &random)
      let attoseconds = Int128.random(in: 0..<(1 << bits), using: &random)
      let exact = (attoseconds + 999_999_999) / 1_000_000_000
      #expect(
        Nanoseconds(roundingUp: Duration(attoseconds: attoseconds)) == Int64(clamping: exact))
    }
  }

  @Test func `sums stay at the end of the range`() {
    #expect(Nanoseconds.max.addingSaturating(1) == .max)
    #expect((Nanoseconds.max - 1).addingSaturating(1) == .max)
    #expect(Nanoseconds.min.addingSaturating(-1) == .min)
    #expect(Nanoseconds.max.addingSaturating(.min) == -1)
    #expect((3 as Nanoseconds).addingSaturating(4) == 7)
  }
}
