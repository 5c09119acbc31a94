import CVirtualTime
import _EscapementCore

/// How far a scope is with its end.
enum Ending {
  /// What is left over has not been looked at.
  case notBegun
  /// What was left over has been cancelled, so often.
  case cancelled(rounds: Int, leftovers: [Leftover])
}

/// How often what is left over is cancelled: handlers may start new tasks.
private let cancellationRounds = 16

extension Scope {
  /// How many jobs may run at one instant once nobody should go on.
  static let jobsAfterCancellation = 10_000

  /// Lets those who run on after the body come to their end, but not for ever.
  func limitJobsAfterBody() {
    if case .notBegun = ending, state.withLock(\.phase) == .draining {
      patience.lower(to: 100_000)
    }
  }

  /// Cancels what is left over, and once more what that has brought about.
  ///
  /// - Returns: Whether there is something to wait for.
  func cancelLeftovers() -> Bool {
    for driver in state.withLock({ $0.removeDrivers() }) {
      driver.continuation.resume(returning: .cutOff)
    }
    let sleeping = state.withLock(\.sleepers)
    let living = livingTasks()
    switch ending {
    case .notBegun:
      guard !sleeping.isEmpty || !living.isEmpty else { return false }
      ending = .cancelled(rounds: 1, leftovers: Leftover.list(sleeping, living))
    case .cancelled(let rounds, let leftovers):
      guard !sleeping.isEmpty || !living.isEmpty, rounds < cancellationRounds else {
        // Those that were listed are described as they were then.
        let known = Dictionary(leftovers.map { ($0.task.id, $0) }) { first, _ in first }
        let unresponsive = Leftover.list(sleeping, living).map { known[$0.task.id] ?? $0 }
        report(.leftovers(leftovers, unresponsive: unresponsive, policy: options.leftovers))
        return false
      }
      ending = .cancelled(rounds: rounds + 1, leftovers: leftovers)
    }
    let limit = Scope.jobsAfterCancellation + 100 * (sleeping.count + living.count)
    patience = Patience(jobLimit: min(options.jobLimit, limit))
    for task in sleeping.compactMap(\.pointer) { cvt_cancel_task(task) }
    for task in living { cvt_cancel_task(task) }
    return true
  }

  /// Does not run a job. An actor may have the work of others in its mailbox, and is passed on.
  func drop(_ job: ReadyJob) {
    if cvt_is_task(job.pointer) {
      cvt_task_dropped(job.pointer)
    } else if !job.onMain {
      Platform.passOn(job.job)
    }
  }

  /// The end: nothing of the scope is run by it any more.
  func finish() {
    state.withLock { $0.end() }
    while let job = ready.popFirst() { drop(job) }
    _ = livingTasks()
    live.removeAll()
    // If the body was given up, the scope stays among those that are alive, with nobody to run what
    // is left of it: it must not go on in real time, where its surroundings are gone.
    Scopes.end(self, forgetting: body.end != .givenUp)
    whenFinished.withLock { $0.take() }?()
  }
}
