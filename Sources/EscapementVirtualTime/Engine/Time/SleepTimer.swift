import CReach
import CVirtualTime
import EscapementClocks
import _EscapementCore

/// An entry of the scope's timer queue: a task sleeps until a deadline.
///
/// Plain bits without references that count, since every sleep moves it about.
struct SleepTimer {
  enum Wakeup {
    /// A sleep of a standard clock. The runtime has a job of its own that ends it.
    case job(UnownedJob)
    /// A sleep on the handle.
    case sleeper(Sleeper)
    /// An entry that is not a task's.
    case entry(UnsafeMutablePointer<rch_entry>)

    var entry: UnsafeMutablePointer<rch_entry>? {
      if case .entry(let entry) = self { entry } else { nil }
    }
  }

  var wakeup: Wakeup
  /// The clock, unless a function blocks the thread.
  let clock: SleepClock?
  /// The life of a host to which an entry belongs, or 0.
  let lifeOfEntry: UInt16
  /// The sleeping task.
  let task: UnsafeMutableRawPointer?
  let armedAt: Nanoseconds

  /// A timer for the task that this thread runs.
  @inline(__always) init(_ wakeup: Wakeup, on clock: SleepClock, armedAt: Nanoseconds) {
    self.wakeup = wakeup
    self.clock = clock
    self.armedAt = armedAt
    lifeOfEntry = 0
    task = cvt_current_task()
  }

  /// A timer for an entry, which may be the sleep of the task that this thread runs.
  init(_ entry: UnsafeMutablePointer<rch_entry>, isSleep: Bool, armedAt: Nanoseconds) {
    wakeup = .entry(entry)
    clock = nil
    lifeOfEntry = isSleep ? cvt_current_life() : entry.pointee.life
    self.armedAt = armedAt
    task = isSleep ? cvt_current_task() : nil
  }

  /// The life of a host whose machine, while it is suspended, makes this timer stand; or 0.
  var suspendingLife: UInt16 {
    switch wakeup {
    case .entry: lifeOfEntry
    case .job: clock == .suspending ? task.map { cvt_life_of($0) } ?? 0 : 0
    case .sleeper: 0
    }
  }

  /// Asks the processor to fetch what is touched when the sleep ends.
  ///
  /// Many sleepers do not fit into the cache, and they wake in another order than they lie in
  /// memory. Said one wake-up ahead, it takes up to a third off the time of a sleep.
  @inline(__always) func prefetch() {
    if case .job(let job) = wakeup { cvt_prefetch(job.pointer, 4) }
    if let task { cvt_prefetch(task, 12) }
  }

  /// Keeps the task alive as long as the timer is armed.
  ///
  /// A sleep on the handle leaves the queue before its task goes on. A sleep of a standard clock
  /// may have been cancelled and its task ended out of our sight, on an executor of the user's own.
  @inline(__always) func retainTask() {
    if case .job = wakeup, let task { _ = Unmanaged<AnyObject>.fromOpaque(task).retain() }
  }

  @inline(__always) func releaseTask() {
    if case .job = wakeup, let task { Unmanaged<AnyObject>.fromOpaque(task).release() }
  }
}
