import CVirtualTime
import Dispatch
import _EscapementCore

// Sleeps of the standard clocks in a scope in which these are real: virtual time is held meanwhile.

/// Marks, in a task's record, a real sleep instead of an entry of the timer queue.
private let realSleepMark: UInt64 = 1 << 63

extension Scope {
  /// Lets the task that runs sleep in real time; `job` ends the sleep.
  func sleepReally(_ job: UnownedJob, for duration: Duration) {
    let id = state.withLock { $0.beginRealSleep(job) }
    if let task = cvt_current_task() {
      cvt_task_record(cvt_task_id(task), true).map { cvt_set_timer($0, realSleepMark | UInt64(id)) }
    }
    let nanoseconds = Int(Swift.max(0, Nanoseconds(roundingUp: duration)))
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      if self.state.withLock({ $0.realSleepIsOver(id) }) { self.handOver() }
    }
  }
}

extension ScopeState {
  /// Ends the sleep of a standard clock that was cancelled, and returns the job that frees what it
  /// holds; `nil` if it has ended before.
  mutating func endSleep(_ timer: UInt64) -> (UnownedJob, SleepTimer?)? {
    guard timer & realSleepMark == 0 else {
      return endRealSleep(UInt32(timer & ~realSleepMark)).map { ($0, nil) }
    }
    guard timer != 0, let cancelled = timers.remove(TimerToken(rawValue: timer)),
      case .job(let job) = cancelled.wakeup
    else { return nil }
    return (job, cancelled)
  }
}

/// The real sleeps of a scope.
struct RealSleeps {
  private var jobs: [UInt32: UnownedJob] = [:]
  private var nextID: UInt32 = 0

  mutating func begin(_ job: UnownedJob) -> UInt32 {
    defer { nextID = (nextID + 1) & (1 << 31 - 1) }
    jobs[nextID] = job
    return nextID
  }

  mutating func end(_ id: UInt32) -> UnownedJob? { jobs.removeValue(forKey: id) }
}
