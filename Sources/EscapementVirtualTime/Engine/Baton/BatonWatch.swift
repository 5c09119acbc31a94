import CVirtualTime
import Dispatch
import _EscapementCore

/// Looks again and again for threads that have the baton of a scope and sleep, on a thread of its
/// own.
///
/// It sleeps while there is no scope with virtual queues and threads.
enum BatonWatch {
  private static let interval: Nanoseconds = 1_000_000
  /// Looking takes at most one part in so many of a processor.
  private static let share: Nanoseconds = 20
  /// How often it looks when there is no scope, since most times another one follows soon.
  private static let idleLooks = 100

  private static let alarm = exempt { DispatchSemaphore(value: 0) }
  private static let isAsleep = Lock(false)

  private static let start: Void = cvt_start_thread { BatonWatch.run() }

  /// A scope has begun.
  static func wake() {
    start
    let mustWake = isAsleep.withLock { $0.take() }
    if mustWake { exempt { _ = alarm.signal() } }
  }

  private static func run() -> Never {
    var looks: [UInt32: Scope.BatonSighting] = [:]
    while true {
      var idle = 0
      while idle < idleLooks {
        let start = cvt_thread_time()
        let scopes = Scopes.reached
        for scope in scopes { scope.lookForStraggler(since: &looks[scope.number]) }
        if scopes.isEmpty { looks = [:] }
        idle = scopes.isEmpty ? idle + 1 : 0
        cvt_rest_for(max(interval, share * (cvt_thread_time() - start)))
      }
      isAsleep.withLock { $0 = true }
      // A scope that begins from now on gives the alarm.
      if Scopes.reached.isEmpty { alarm.wait() }
    }
  }
}

extension Bool {
  /// Sets it to `false`, and returns what it was.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
