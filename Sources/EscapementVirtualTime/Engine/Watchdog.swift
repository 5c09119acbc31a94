import CVirtualTime
import Dispatch
import _EscapementCore

/// Looks at all scopes that are alive, again and again, on a thread of its own.
///
/// No scope can keep it from that: neither by blocking its threads nor by using all processors. While no
/// scope is alive it sleeps. A scope that begins meanwhile, or that must be looked at more often than
/// those before, wakes it.
///
/// A scope may wait for work that is in the queue of the pool, behind much other work. So a wait only
/// counts while that queue moves on: a block goes through it between two looks.
enum Watchdog {
  private static let alarm = DispatchSemaphore(value: 0)

  private static let start: Void = cvt_start_thread { Watchdog.run() }

  /// Looks at the interval again, on any thread.
  static func wake() {
    start
    exempt { _ = alarm.signal() }
  }

  /// Whether a block is in the queue of the pool.
  private static let isPoolBusy = Lock(false)

  /// Returns whether all that was in the queue of the pool at the last call has begun to run.
  private static func hasPoolMovedOn() -> Bool {
    let hasMovedOn = isPoolBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    guard hasMovedOn else { return false }
    DispatchQueue.global().async { isPoolBusy.withLock { $0 = false } }
    return true
  }

  private static func run() -> Never {
    while true {
      if let interval = Scopes.interval() {
        _ = alarm.wait(timeout: .now() + .nanoseconds(Int(clamping: interval)))
      } else {
        alarm.wait()
      }
      let scopes = Scopes.all
      if scopes.isEmpty { continue }
      let counts = hasPoolMovedOn()
      for scope in scopes {
        if Platform.capturesMainActor || scope.isDrained {
          scope.look(countingWaits: counts)
        } else {
          scope.lookBehindOthers()
        }
      }
    }
  }
}
