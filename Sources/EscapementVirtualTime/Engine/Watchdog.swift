import CVirtualTime
import Dispatch

/// Looks at all scopes that are alive, again and again, on a thread of its own.
///
/// No scope can keep it from that: neither by blocking its threads nor by using all processors. While no
/// scope is alive it sleeps. A scope that begins meanwhile, or that must be looked at more often than
/// those before, wakes it.
enum Watchdog {
  private static let alarm = DispatchSemaphore(value: 0)

  private static let start: Void = cvt_start_thread { Watchdog.run() }

  /// Looks at the interval again, on any thread.
  static func wake() {
    start
    exempt { _ = alarm.signal() }
  }

  private static func run() -> Never {
    while true {
      if let interval = Scopes.interval() {
        _ = alarm.wait(timeout: .now() + .nanoseconds(Int(clamping: interval)))
      } else {
        alarm.wait()
      }
      for scope in Scopes.all {
        if Platform.capturesMainActor { scope.look() } else { scope.lookBehindOthers() }
      }
    }
  }
}
