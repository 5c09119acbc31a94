import Testing
import _EscapementCore

@Suite struct DurationNanosecondsTests {
  @Test func `a fraction of a nanosecond is rounded towards zero or up`() {
    for whole in [Int64(0), 1, 999_999_999, 1_000_000_000, 1 << 40] {
      let exact = Duration.nanoseconds(whole)
      #expect(exact.wholeNanoseconds == whole)
      #expect(exact.nanosecondsRoundedUp == whole)
      let above = exact + Duration(secondsComponent: 0, attosecondsComponent: 1)
      #expect(above.wholeNanoseconds == whole)
      #expect(above.nanosecondsRoundedUp == whole + 1)
    }
  }

  @Test func `negative durations are rounded towards zero, which is up`() {
    let duration = Duration(secondsComponent: 0, attosecondsComponent: -1_500_000_000)
    #expect(duration.wholeNanoseconds == -1)
    #expect(duration.nanosecondsRoundedUp == -1)
  }

  @Test func `durations beyond the range saturate`() {
    #expect(Duration.nanoseconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.max).nanosecondsRoundedUp == .max)
    #expect(Duration.nanoseconds(Int64.max - 1).nanosecondsRoundedUp == .max - 1)
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.max).nanosecondsRoundedUp == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
  }
}
