import Dispatch
import Escapement
import EscapementFoundation
import Testing

@Suite struct DispatchTimeIntervalDurationTests {
  @Test(
    arguments: [
      (.seconds(2), .seconds(2)),
      (.milliseconds(3), .milliseconds(3)),
      (.microseconds(-4), .microseconds(-4)),
      (.nanoseconds(5), .nanoseconds(5)),
      (.never, nil),
    ] as [(DispatchTimeInterval, Duration?)])
  func `an interval is converted to a duration, and never is none`(
    interval: DispatchTimeInterval, duration: Duration?
  ) {
    #expect(interval.duration == duration)
  }

  @Test func `only an interval that is not positive is refused for a timer that repeats`() {
    #expect(DispatchTimeInterval.nanoseconds(1).refusalToRepeat == nil)
    #expect(DispatchTimeInterval.never.refusalToRepeat == nil)
    for interval in [DispatchTimeInterval.nanoseconds(0), .nanoseconds(-1)] {
      #expect(interval.refusalToRepeat?.argument == "interval")
      #expect(interval.refusalToRepeat?.requirement == "positive, or .never")
    }
  }
}
