import Dispatch
import _EscapementCore

// What happens when a scope waits or runs for too long. Each limit is reached in two steps: at first
// the body is cancelled, and if that does not help, it is given up.

extension Scope {
  func report(_ problem: Problem?) {
    if let problem { problems.withLock { $0.append(problem) } }
  }

  private var situation: Situation {
    Situation(
      now: now, mode: options.mode, sleeping: state.withLock(\.sleepers),
      living: livingTasks())
  }

  private func reachLimit(_ problem: Problem) {
    report(problem)
    body.reachLimit()
  }

  /// Ends the scope although its body has not ended.
  private func giveUpBody() {
    body.giveUp()
    if state.withLock({ $0.bodyIsOver() }) { schedule() }
  }

  // MARK: Jobs and events

  /// Decides about another job when the limit is reached; returns `false` if it must not run.
  func tolerateMoreJobs() -> Bool {
    guard case .exhausted(let witnesses) = patience.decide() else { return true }
    if case .notBegun = ending {
      if state.withLock(\.phase) == .draining {
        // The body has ended, but the scope never comes to rest: no waiting for that any longer.
        if cancelLeftovers() { return true }
      } else if body.end == .byItself {
        reachLimit(.endlessJobs(at: now, limit: options.jobLimit, witnesses))
        patience = Patience(jobLimit: min(options.jobLimit, Scope.jobsAfterCancellation))
        return true
      } else {
        giveUpBody()
      }
    }
    // What is still ready will never end by itself: it is not run any more.
    while let job = ready.popFirst() { drop(job) }
    return false
  }

  /// Counts a job that an actor of the scope runs, inside the job of the actor.
  func jobBeganInside() {
    if !patience.allowsJob() { _ = tolerateMoreJobs() }
  }

  func tooManyEvents() {
    if body.end != .byItself { return giveUpBody() }
    reachLimit(.endlessEvents(situation, limit: options.eventLimit))
    for driver in state.withLock({ $0.removeDrivers() }) {
      driver.continuation.resume(returning: .cutOff)
    }
  }

  // MARK: Waiting

  /// Looks, when a limit of real time has passed, whether the scope still waits.
  func watch() {
    guard !isWatched, let (reason, count) = state.withLock({ $0.waiting }) else { return }
    isWatched = true
    let limit = reason == .held ? options.holdLimit : options.stallLimit
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: Nanoseconds(roundingUp: limit)))
    DispatchQueue.main.asyncAfter(deadline: deadline) { [weak self] in
      self?.lookAgain(reason, count)
    }
  }

  private func lookAgain(_ reason: ScopeState.Park, _ count: Int) {
    isWatched = false
    guard let waiting = state.withLock({ $0.waiting }) else { return }
    guard waiting == (reason, count) else { return watch() }
    if body.end != .byItself {
      giveUpBody()
    } else if reason == .held {
      reachLimit(.heldForTooLong(situation, after: options.holdLimit))
    } else {
      reachLimit(.stuck(situation, after: options.stallLimit))
    }
    watch()
  }
}
