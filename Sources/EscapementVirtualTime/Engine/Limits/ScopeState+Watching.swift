import CVirtualTime
import _EscapementCore

// A scope is looked at from time to time. What it does has gone on for too long when it has done it
// for as long as its limit says, in real time.

extension ScopeState {
  /// The action that a look at a scope asks for.
  enum WatchAction {
    /// Nothing.
    case nothing
    /// It has waited for too long: drain it.
    case drain
    /// A job has kept this thread for too long: find out where it is, and cancel it.
    case blocked(thread: Int32)
    /// A job keeps its thread after a problem has been reported. The scope has ended without the
    /// thread.
    case lost(Life, Life.Body)
  }

  /// How long, in real time, the scope may go on as it does; `nil` if that is not limited.
  private func patience(in subject: Watch.Subject) -> Nanoseconds? {
    let shortest: Nanoseconds = 100_000_000
    let stall = Nanoseconds(roundingUp: options.stallLimit)
    let block = Nanoseconds(roundingUp: options.blockLimit)
    if watches.isReporting || watches.isCancelling { return nil }
    switch (baton.holder, life) {
    case (_, .ended), (.handedOver, _): return nil
    case (.taken, .cancelling):
      // Long, since a thread may wait for locks of the system whose holders get no processor.
      return max(block, shortest)
    case (.taken, _):
      return subject == watches.blocked ? max(stall, shortest) : block
    case (.parked(.stalled), _): return stall
    // Something is under way, and is known to be. After the limit it only has to be cancelled.
    case (.parked(.held), .limitReached), (.parked(.elsewhere), .limitReached):
      return max(stall, shortest)
    case (.parked(.held), _), (.parked(.elsewhere), _):
      return Nanoseconds(roundingUp: options.holdLimit)
    }
  }

  /// Whether a job that keeps its thread is to be reported, and cancelled.
  private var isFirstProblem: Bool {
    switch life {
    case .running, .ending(.completed): watches.blocked == nil
    case .limitReached, .ending, .cancelling, .ended: false
    }
  }

  /// Whether the job is still running that is blocked.
  func isStillBlocked(jobs: Int64) -> Bool {
    watches.blocked == Watch.Subject(baton: baton.handOvers, job: jobs, time: time.now)
  }

  /// Looks at the scope.
  ///
  /// - Parameters:
  ///   - realTime: When.
  ///   - jobs: How many jobs the scope has begun to run.
  ///   - effort: What the thread that drains the scope is doing, if that is known.
  ///   - share: How much of the real time counts in which `effort` does not tell how long the
  ///     thread has run, from 0 to 1.
  ///   - poolDelay: How long work waits in the queue of the thread pool.
  mutating func look(
    at realTime: Nanoseconds, jobs: Int64 = 0, effort: cvt_effort? = nil,
    share: Double = 1, poolDelay: Nanoseconds = 0
  ) -> WatchAction {
    let subject = Watch.Subject(
      baton: baton.handOvers, job: baton.thread == nil ? 0 : jobs, time: time.now)
    if isHeldTooLong(at: realTime, jobs: jobs, share: share, poolDelay: poolDelay) {
      watches.overdue = .held
      return startDraining() ? .drain : .nothing
    }
    guard let patience = patience(in: subject),
      watches.scope.look(
        at: subject, patience, realTime, effort: effort,
        share: share * PoolDelay.weight(of: patience, with: poolDelay)) == .tooLong
    else { return .nothing }
    switch baton.holder {
    case .parked(let reason):
      watches.overdue = reason
      return startDraining() ? .drain : .nothing
    case .taken(let thread, _):
      if isFirstProblem {
        watches.blocked = subject
        watches.isCancelling = true
        return .blocked(thread: thread)
      }
      let life = life
      return end(withoutThread: true).map { .lost(life, $0) } ?? .nothing
    case .handedOver:
      return .nothing
    }
  }

  /// The cancellation of what keeps a thread begins.
  ///
  /// From now on it counts how long the thread goes on. Before, it cannot have been told.
  mutating func beginCancellation() {
    watches.isCancelling = false
    watches.scope = Watch()
  }

  /// Whether one wait after the other, each of them short, has held time for longer than a hold may
  /// last: sleeps in real time, or those of a thread that polls inside a hold.
  private mutating func isHeldTooLong(
    at realTime: Nanoseconds, jobs: Int64, share: Double, poolDelay: Nanoseconds
  ) -> Bool {
    let limit: Nanoseconds
    switch life {
    case .running: limit = Nanoseconds(roundingUp: options.holdLimit)
    case .limitReached: limit = Nanoseconds(roundingUp: options.stallLimit)
    case .ending, .cancelling, .ended: return false
    }
    let sleepsReally = options.standardClocks == .real
    var isHeld = false
    if baton.waiting?.reason == .held {
      isHeld = sleepsReally ? holdsAreSleeps : !threads.stragglers.isEmpty
    }
    let found = watches.hold.look(
      // A sleep ends with a job.
      at: Watch.Subject(baton: 0, job: sleepsReally ? 0 : jobs, time: time.now), limit, realTime,
      effort: nil, share: isHeld ? share * PoolDelay.weight(of: limit, with: poolDelay) : 0)
    guard isHeld, found == .tooLong else { return false }
    watches.hold = Watch()
    return true
  }

  /// The scope waits for nothing that can happen.
  ///
  /// Returns whether a thread must start to drain it.
  mutating func endWait() -> Bool {
    guard baton.waiting?.reason == .stalled, startDraining() else { return false }
    watches.overdue = .stalled
    return true
  }
}
