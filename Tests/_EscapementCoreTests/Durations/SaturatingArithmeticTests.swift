import TestSupport
import Testing
import _EscapementCore

@Suite struct SaturatingArithmeticTests {
  private let longest = Duration.longest
  private let tick = Duration.nanoseconds(1)

  @Test func `results inside the range are those of ordinary arithmetic`() {
    #expect(Saturating.sum(Duration.seconds(1), .seconds(2)) == .seconds(3))
    #expect(Saturating.difference(Duration.seconds(1), .seconds(3)) == .seconds(-2))
    #expect(Saturating.product(Duration.milliseconds(3), -2) == .milliseconds(-6))
    #expect(Saturating.isLess(Duration.zero, than: tick))
    #expect(!Saturating.isLess(tick, than: tick))
  }

  @Test func `the last nanosecond of the range is reached and not exceeded`() {
    #expect(Saturating.sum(longest - tick, tick) == longest)
    #expect(Saturating.sum(longest, tick) == longest)
    #expect(Saturating.difference(tick - longest, tick) == Duration.zero - longest)
    #expect(Saturating.difference(Duration.zero - longest, tick) == Duration.zero - longest)
  }

  @Test func `results that would overflow are the end of the range`() {
    let beyond = longest * 17
    #expect(Saturating.sum(beyond, beyond) == longest)
    #expect(Saturating.difference(Duration.zero - beyond, beyond) == Duration.zero - longest)
    #expect(Saturating.difference(beyond, Duration.zero - beyond) == longest)
    #expect(Saturating.product(longest, .max) == longest)
    #expect(Saturating.product(longest, .min) == Duration.zero - longest)
    #expect(Saturating.product(Duration.zero - longest, .min) == longest)
  }

  @Test func `a quotient is exact and saturates`() {
    let unit = Duration(secondsComponent: 0, attosecondsComponent: 3)
    #expect(Saturating.quotient(unit * (1 << 60 + 1), unit) == 1 << 60 + 1)
    #expect(Saturating.quotient(Duration.seconds(6) - tick, .seconds(2)) == 2)
    #expect(Saturating.quotient(Duration.seconds(6), .seconds(2)) == 3)
    #expect(Saturating.quotient(longest, unit) == .max)
    #expect(Saturating.quotient(Duration.zero - longest, unit) == .min)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `agrees with arithmetic in 128 bits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func duration() -> Duration {
      let bits = Int.random(in: 1...126, using: &random)
      return Duration(attoseconds: .random(in: -(1 << bits)..<(1 << bits), using: &random))
    }
    func clamped(_ exact: (partialValue: Int128, overflow: Bool), isNegative: Bool) -> Duration {
      let end = longest.attoseconds
      guard !exact.overflow else { return isNegative ? .zero - longest : longest }
      return Duration(attoseconds: min(max(exact.partialValue, -end), end))
    }
    for _ in 0..<500 {
      let (lhs, rhs) = (duration(), duration())
      let (a, b) = (lhs.attoseconds, rhs.attoseconds)
      let count =
        Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random)
      #expect(Saturating.isLess(lhs, than: rhs) == (a < b))
      #expect(
        Saturating.sum(lhs, rhs) == clamped(a.addingReportingOverflow(b), isNegative: a < 0)
          || abs(a) > longest.attoseconds || abs(b) > longest.attoseconds)
      #expect(
        Saturating.difference(lhs, rhs)
          == clamped(a.subtractingReportingOverflow(b), isNegative: a < 0)
          || abs(a) > longest.attoseconds || abs(b) > longest.attoseconds)
      #expect(
        Saturating.product(lhs, count)
          == clamped(
            a.multipliedReportingOverflow(by: Int128(count)), isNegative: (a < 0) != (count < 0)))
      if a >= 0, b > 0, a <= longest.attoseconds {
        #expect(Saturating.quotient(lhs, rhs) == Int(clamping: a / b))
      }
    }
  }

  @Test func `components of a result do not trap`() {
    #expect(Saturating.sum(longest, longest).components.seconds == .max)
    #expect(Saturating.product(longest, -2).components.seconds == -.max)
  }
}
