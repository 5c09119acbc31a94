import CReach
import CVirtualTime
import _EscapementCore

// The steps after the end of the body. `Life` has their order.
//
// A job may keep its thread for ever: it blocks, or is in a loop. If it does not come back within
// the stall limit after its cancellation, or an actor uses up all jobs that a limit allows, the
// scope ends without the thread. The thread gets the lowest priority, and waits for ever when it
// reads a clock next or comes back to the engine.
//
// On a *worker*, another worker takes its place. On the *caller's* thread, the continuation of the
// caller has been made, but its task has not suspended: `Platform.resume` runs the task as a job on
// another thread, as if it had, and its own thread must never return to it. On the *main* thread,
// `MainQueue` gives its present and later work to a thread that stands in for it.
//
// Such a scope is dead, and so is one whose body was given up, or whose ready jobs never ended: its
// number is kept, and its tasks, blocks and threads are not run. Other tasks that have not ended
// after their cancellation may go on in real time, when code outside resumes them. Each may run
// 10,000 jobs, or move to an executor 10,000 times, to clean up. Then it is let go, since a loop
// that swallows its cancellation would use a processor for the rest of the process. Where it moves
// next, it goes to the `WaitingRoom` and stays there: so it keeps neither a thread nor an actor
// that others share.

extension Scope {
  /// How many jobs may run at one instant after tasks have been cancelled.
  static let jobsAfterCancellation = 10_000

  /// Cancels what is left over, and once more what that has brought about.
  ///
  /// - Returns: Whether there is something to wait for.
  func cancelLeftovers() -> Bool {
    for driver in state.withLock({ $0.time.drivers.removeAll() }) {
      driver.continuation.resume(returning: .cutOff)
    }
    let waiting = waitingTasks()
    let (sleeping, living, leftovers) = (waiting.sleeps, waiting.living, waiting.list)
    // Tasks that a cancellation does not reach are not cancelled again and again.
    let jobs = cvt_read(jobsBegun)
    let isInVain = draining.ending.isCancelling && jobs == draining.ending.jobsAtCancellation
    guard !isInVain, state.withLock({ $0.leave(leftovers) }) else {
      if case .cancelling(_, _, let first) = state.withLock({ $0.life }) {
        draining.ending.lastProblem = .leftovers(
          first, unresponsive: leftovers, policy: options.leftovers)
      }
      return false
    }
    draining.ending.isCancelling = true
    draining.ending.jobsAtCancellation = jobs
    let limit = Scope.jobsAfterCancellation + 100 * (sleeping.count + living.count)
    draining.patience = Patience(jobLimit: min(options.jobLimit, limit))
    cancel(sleeping, living)
    return true
  }

  /// Cancels unstructured tasks, and those that sleep.
  ///
  /// Handlers of a cancellation may wait. Others go on meanwhile, and may end. So a child task is
  /// cancelled with its parent, if that is known: a parent whose child throws because of the end
  /// must not take it for a failure.
  private func cancel(_ sleeping: [Sleep], _ living: [UnsafeMutableRawPointer]) {
    for task in living { _ = Unmanaged<AnyObject>.fromOpaque(task).retain() }
    for task in living { cancel(task) }
    for sleep in sleeping {
      let stillSleeps = state.withLock { $0.time.sleepers.timers.contains(sleep.token) }
      if let task = sleep.pointer, stillSleeps { cancel(task) }
    }
    for task in living { Unmanaged<AnyObject>.fromOpaque(task).release() }
  }

  /// Cancels a task, whose handlers belong to the same host.
  private func cancel(_ task: UnsafeMutableRawPointer) {
    let before = (cvt_set_mortal(nil), cvt_set_current_life(cvt_life_of(task)))
    cvt_cancel_task(task)
    _ = cvt_set_current_life(before.1)
    _ = cvt_set_mortal(before.0)
  }

  /// Does not run a job.
  ///
  /// An actor may have the work of other scopes in its mailbox, and is passed on.
  func drop(_ job: ReadyJob) {
    if let entry = job.entry {
      // It would go on at once, and must not before the scope has ended.
      draining.ending.droppedEntries.append(entry)
    } else if cvt_is_task(job.pointer) {
      cvt_task_dropped(job.pointer)
    } else if job.kind == .actor {
      Platform.passOn(job.job)
    }
  }

  /// Reports tasks that are left over, unless a limit was reached: they follow from what was
  /// reported then.
  func reportLeftovers(_ problem: Problem?, _ body: Life.Body) {
    if case .completed = body { report(problem) }
  }

  /// The end: nothing of the scope is run by it any more.
  ///
  /// Returns `false` if the scope has ended without this thread, and that has been reported.
  func finish() -> Bool {
    guard let body = state.withLock({ $0.end() }) else { return false }
    reportLeftovers(draining.ending.lastProblem, body)
    while let job = draining.ready.popFirst() { drop(job) }
    for job in draining.main.behind { drop(job) }
    draining.main.behind = []
    for job in state.withLock({ $0.time.sleepers.takeAllCancelled() }) { Platform.passOn(job) }
    let leavesTasks = !livingTasks().isEmpty
    draining.live.removeAll()
    Scopes.end(
      self,
      leaving: draining.ending.isWithoutEnd || body == .givenUp
        ? .codeWithoutEnd : leavesTasks ? .tasks : .nothing)
    for entry in draining.ending.droppedEntries { rch_drop(entry) }
    draining.ending.droppedEntries = []
    endReach()
    resumeCaller(body)
    return true
  }

  /// The scope has ended without the thread that drains it, which a task keeps.
  func finishWithoutThread(_ body: Life.Body) {
    let (thread, drainer) = state.withLock { ($0.baton.thread, $0.baton.drainer) }
    thread.map { cvt_lower_priority($0) }
    if drainer == .main { MainQueue.loseThread() }
    Scopes.end(self, leaving: .codeWithoutEnd)
    endReach()
    resumeCaller(body)
  }

  private func resumeCaller(_ body: Life.Body) {
    let (task, whenFinished) = caller.withLock { ($0.task, $0.whenFinished.take()) }
    whenFinished?(body)
    guard state.withLock({ $0.baton.lost.withCaller }), let task else { return }
    // Frames on the stack of its thread use the scope.
    _ = Unmanaged.passRetained(self)
    Platform.resume(task)
  }
}
