import CReach
import IssueReporting

extension SimulatedHost {
  /// How far the wall clock of the host is ahead of that of the scope; below zero, it is behind.
  ///
  /// To set it is a step of the clock, which may go back. `Date()` shows it, and so do all functions
  /// that tell the time of day. Other clocks, and sleeps, are right on all hosts. A wall-clock timer
  /// that was set before the step keeps its instant. A restart changes nothing.
  ///
  /// From -100 to 100 years.
  public var clockOffset: Duration {
    get { .nanoseconds(rch_clock_ahead(number)) }
    nonmutating set {
      let most = Duration.seconds(100 * 365 * 86_400)
      if !(.zero - most...most).contains(newValue) {
        reportIssue("The wall clock of a host cannot be ahead by \(newValue).")
      }
      let (seconds, attoseconds) = min(max(newValue, .zero - most), most).components
      rch_set_clock(number, seconds * 1_000_000_000 + attoseconds / 1_000_000_000, clockDrift)
    }
  }

  /// How many seconds the wall clock of the host gains in each second; below zero, it loses.
  ///
  /// Clocks of quartz gain or lose up to 0.0001, which is 8.6 seconds a day. From -0.5 to 0.5.
  public var clockDrift: Double {
    get { rch_clock_drift(number) }
    nonmutating set {
      if !(-0.5...0.5).contains(newValue) {
        reportIssue("The wall clock of a host cannot gain \(newValue) seconds in a second.")
      }
      let drift = newValue.isNaN ? 0 : min(max(newValue, -0.5), 0.5)
      rch_set_clock(number, rch_clock_ahead(number), drift)
    }
  }
}
