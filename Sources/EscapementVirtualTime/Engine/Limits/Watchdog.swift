import CVirtualTime
import Dispatch
import _EscapementCore

/// Looks at all scopes that are alive, again and again, on a thread of its own.
///
/// No scope can keep it from that: neither by blocking its threads nor by using all processors.
/// While no scope is alive it sleeps. A scope that begins meanwhile, or that must be looked at more
/// often than those before, wakes it.
///
/// A scope may wait for work that is in the queue of the pool, behind much other work: see
/// `PoolDelay`.
enum Watchdog {
  private static let alarm = DispatchSemaphore(value: 0)

  private static let start: Void = cvt_start_thread { Watchdog.run() }

  /// Looks at the interval again, on any thread.
  static func wake() {
    start
    exempt { _ = alarm.signal() }
  }

  private static let poolDelay = Lock(PoolDelay())
  /// How long work waits in the queues of tasks, of the pool and of the workers at present.
  ///
  /// If the process is idle, the pool's threads are blocked, and what waits for them does not go
  /// on.
  private static func currentPoolDelay() -> Nanoseconds {
    let now = cvt_uptime()
    // First: the thread of the block that is sent could run for a moment, and is none of the
    // user's.
    let isIdle = ProcessorShare.now(at: now).isIdle
    let (delay, mustSend) = poolDelay.withLock { ($0.delay(at: now), $0.send(at: now)) }
    if mustSend {
      // Tasks have a queue of their own, with a place for each processor. Tasks that block keep the
      // places.
      Task.detached {
        DispatchQueue.global().async {
          cvt_run_on_worker(UnsafeMutableRawPointer(bitPattern: 1)!) { _ in Watchdog.blockArrives()
          }
        }
      }
    }
    return isIdle ? 0 : delay
  }

  private static func blockArrives() {
    let now = cvt_uptime()
    poolDelay.withLock { $0.arrive(at: now) }
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
      let delay = currentPoolDelay()
      for scope in scopes {
        if Platform.capturesMainActor || scope.isDrained {
          scope.look(poolDelay: delay)
        } else {
          scope.lookBehindOthers()
        }
      }
    }
  }
}
