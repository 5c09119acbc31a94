import Escapement
import EscapementFoundation
import Foundation
import Testing

@Suite struct DurationTimeIntervalTests {
  @Test(arguments: [
    (0, Duration.zero), (0.1, .milliseconds(100)), (1e-9, .nanoseconds(1)),
    (1.5, .milliseconds(1500)),
    (86_400, .seconds(86_400)), (-0.0, .zero), (4e18, .seconds(4_000_000_000_000_000_000)),
  ])
  func `seconds are rounded to the nanosecond`(interval: TimeInterval, duration: Duration) throws {
    #expect(try Duration(timeInterval: interval) == duration)
  }

  @Test(arguments: [
    TimeInterval.nan, .signalingNaN, .infinity, -.infinity, -1, -.leastNonzeroMagnitude, 1e19,
    .greatestFiniteMagnitude,
  ])
  func `an interval that is negative, infinite or not a number is refused with its value`(
    interval: TimeInterval
  ) throws {
    let error = #expect(throws: InvalidArgumentError.self) {
      try Duration(timeInterval: interval)
    }
    #expect(error?.argument == "timeInterval")
    #expect(error?.value == "\(interval)")
  }

  @Test func `a duration is converted to seconds`() {
    #expect(TimeInterval(Duration.milliseconds(1500)) == 1.5)
    #expect(TimeInterval(Duration.seconds(-2)) == -2)
  }
}
