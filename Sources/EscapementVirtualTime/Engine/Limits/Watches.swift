/// The watches of a scope: how long it has gone on, and which wait is overdue.
struct Watches {
  /// How long the scope has gone on as it does.
  var scope = Watch()
  /// How long waits in real time have held time, one after the other.
  var hold = Watch()
  /// Tells on standard error that the scope still advances.
  var progress = Progress()
  /// The job that was cancelled because it has kept its thread for too long.
  var blocked: Watch.Subject?
  /// The wait that has lasted for too long, which the next step tells.
  var overdue: Baton.Park?
  /// Whether the thread that drains the scope finds out what to report.
  var isReporting = false
  /// Whether a cancellation of what keeps a thread waits for a thread of its own.
  var isCancelling = false
  /// How often `BatonWatch` has looked at the scope since the watchdog has.
  var batonLooks = 0
}
