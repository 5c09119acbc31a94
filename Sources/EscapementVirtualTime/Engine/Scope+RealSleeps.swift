import CVirtualTime
import Dispatch
import _EscapementCore

// Sleeps of the standard clocks in a scope in which these are real: virtual time is held meanwhile.

/// Marks, in a task's record, a real sleep instead of a place in the timer queue.
private let realSleepMark: UInt32 = 1 << 31

extension Scope {
  /// Lets the task that runs sleep in real time; `job` ends the sleep.
  func sleepReally(_ job: UnownedJob, for duration: Duration) {
    let id = state.withLock { $0.beginRealSleep(job) }
    if let task = cvt_current_task() {
      cvt_task_record(cvt_task_id(task), true).map { cvt_set_timer($0, realSleepMark | id) }
    }
    let nanoseconds = Int(Swift.max(0, Nanoseconds(roundingUp: duration)))
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      if self.state.withLock({ $0.realSleepIsOver(id) }) { self.schedule() }
    }
  }

  /// Ends a real sleep that was cancelled and returns the job that frees what it holds; `nil` if the
  /// timer is none of these.
  func endRealSleep(_ timer: UInt32) -> UnownedJob?? {
    guard timer & realSleepMark != 0 else { return nil }
    return .some(state.withLock { $0.endRealSleep(timer & ~realSleepMark) })
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
