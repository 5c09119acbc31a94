import CVirtualTime
import Dispatch
import _EscapementCore

// Sleeps of the standard clocks in a scope in which these are real: virtual time is held meanwhile.

/// Marks, in a task's record, a real sleep instead of an entry of the timer queue.
private let realSleepMark: UInt64 = 1 << 63
/// Marks a sleep whose task was cancelled, and whose job has still to run.
private let cancelledMark: UInt64 = 1 << 62

/// Whether a task that is suspended sleeps in real time.
func sleepsReally(_ task: UnsafeRawPointer) -> Bool {
  cvt_task_record(cvt_number_of(task), false).map { cvt_timer($0) & realSleepMark != 0 } ?? false
}

extension Scope {
  /// Lets the task that runs sleep in real time; `job` ends the sleep.
  func sleepReally(_ job: UnownedJob, for duration: Duration) {
    let id = state.withLock { $0.beginRealSleep(job) }
    if let task = cvt_current_task() {
      cvt_task_record(cvt_task_id(task), true).map { cvt_set_timer($0, realSleepMark | UInt64(id)) }
    }
    let nanoseconds = Int(Swift.max(0, Nanoseconds(roundingUp: duration)))
    exempt {
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
        if self.state.withLock({ $0.realSleepIsOver(id) }) { self.handOver() }
      }
    }
  }
}

extension ScopeTime {
  /// Ends the sleep of a standard clock that was cancelled, and returns the job that frees what it
  /// holds; `nil` if it has ended before.
  mutating func endSleep(_ timer: UInt64) -> (job: UnownedJob, timer: SleepTimer?)? {
    if timer & cancelledMark != 0 {
      return sleepers.takeCancelled(UInt32(timer & ~cancelledMark)).map { ($0, nil) }
    }
    if timer & realSleepMark != 0 {
      return holds.endSleep(UInt32(timer & ~realSleepMark)).map { ($0, nil) }
    }
    return sleepers.removeSleep(timer).map { ($0.job, $0.timer) }
  }
}

// MARK: - Cancelled sleeps

extension Scope {
  /// Takes out the timer of a sleep whose task has been cancelled.
  ///
  /// A task that is cancelled while it is about to suspend does not suspend, and runs on without
  /// any sign. The job of the sleep must not run before the handlers of the cancellation, which may
  /// still be under way on another thread: it runs when the task becomes ready next, or sleeps.
  func setSleepAside(of task: UnsafeMutablePointer<cvt_task>) {
    let cancelled = state.withLock { state in
      let (mark, cancelled) = state.time.sleepers.setSleepAside(cvt_timer(task))
      if let mark { cvt_set_timer(task, mark) }
      return cancelled
    }
    if let cancelled { recorder?.sleepCancelled(cancelled.task, at: now) }
    cancelled?.releaseTask()
  }
}

extension Sleepers {
  fileprivate mutating func setSleepAside(_ timer: UInt64) -> (mark: UInt64?, SleepTimer?) {
    guard timer & (cancelledMark | realSleepMark) == 0, let (job, cancelled) = removeSleep(timer)
    else { return (nil, nil) }
    return (cancelledMark | UInt64(setAside(job)), cancelled)
  }
}

/// Jobs that end sleeps which are not in the timer queue.
struct SleepJobs {
  private var jobs: [UInt32: UnownedJob] = [:]
  private var nextID: UInt32 = 0

  var all: [UnownedJob] { Array(jobs.values) }
  var count: Int { jobs.count }

  mutating func begin(_ job: UnownedJob) -> UInt32 {
    defer { nextID = (nextID + 1) & .max >> 2 }
    jobs[nextID] = job
    return nextID
  }

  mutating func end(_ id: UInt32) -> UnownedJob? { jobs.removeValue(forKey: id) }
}
