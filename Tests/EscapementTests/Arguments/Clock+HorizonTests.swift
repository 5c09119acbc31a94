import EscapementClocks
import Testing

@testable import Escapement

@Suite struct ClockHorizonTests {
  private let clock = TestClock<Duration>(now: .init(offset: .seconds(10)))

  @Test func `an instant is the duration after now, up to the horizon`() {
    let last = Duration.horizon - .nanoseconds(1)
    #expect(clock.instant(in: .seconds(5)).offset == .seconds(15))
    #expect(clock.instant(in: last).offset == .seconds(10) + last)
    #expect(clock.instant(in: .horizon).offset == .seconds(10) + .horizon)
    #expect(clock.instant(in: .horizon + .nanoseconds(1)).offset == .seconds(10) + .horizon)
  }

  @Test func `an instant beyond the horizon is replaced by the horizon`() {
    let horizon = clock.instant(in: .horizon)
    #expect(clock.reachable(.init(offset: .seconds(3))).offset == .seconds(3))
    #expect(clock.reachable(horizon) == horizon)
    #expect(clock.reachable(horizon.advanced(by: .nanoseconds(1))) == horizon)
  }
}
