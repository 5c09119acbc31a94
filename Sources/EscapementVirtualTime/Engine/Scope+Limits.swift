import CVirtualTime
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
      now: now, mode: options.mode,
      others: Leftover.list(state.withLock(\.sleepers), livingTasks()),
      bodyPlace: state.withLock(\.body).flatMap { WaitingPlace(of: $0) },
      awaited: waits.withLock(\.all).map { $0() })
  }

  /// Cancels the body, or at the second time gives it up.
  private func reachLimit(_ problem: @autoclosure () -> Problem) {
    if state.withLock({ $0.reachLimit() }) {
      report(problem())
      body.cancel()
    }
  }

  // MARK: Jobs and events

  /// Decides about another job when the limit is reached; returns `false` if it must not run.
  func tolerateMoreJobs() -> Bool {
    guard case .exhausted(let witnesses) = patience.decide() else { return true }
    switch state.withLock(\.life) {
    case .running:
      reachLimit(.endlessJobs(at: now, limit: options.jobLimit, witnesses))
      patience = Patience(jobLimit: min(options.jobLimit, Scope.jobsAfterCancellation))
      return true
    case .limitReached:
      _ = state.withLock { $0.reachLimit() }
    case .ending:
      // The body has ended, but the scope never comes to rest: no waiting for that any longer.
      if cancelLeftovers() { return true }
    case .cancelling, .ended:
      break
    }
    // What is still ready will never end by itself: it is not run any more.
    while let job = ready.popFirst() { drop(job) }
    return false
  }

  /// Counts what a task does inside a job of the scope that may never end, such as an actor's.
  func taskGoesOn(_ task: UnsafeMutableRawPointer) {
    recorder?.ranInActor(task, at: now)
    if patience.isWatching { patience.note(TaskDescription(id: cvt_task_id(task), name: nil)) }
    guard !patience.allowsJob(), !tolerateMoreJobs() else { return }
    let life = state.withLock(\.life)
    guard let body = state.withLock({ $0.end() }) else { return }
    let living = Leftover.list([], livingTasks())
    let leftovers = if case .cancelling(_, _, let first) = life { first } else { living }
    finishWithoutThread(
      body, reporting: .leftovers(leftovers, unresponsive: living, policy: options.leftovers))
  }

  func tooManyEvents() {
    reachLimit(.endlessEvents(situation, limit: options.eventLimit))
    guard state.withLock(\.life).hasBody else { return }
    for driver in state.withLock({ $0.removeDrivers() }) {
      driver.continuation.resume(returning: .cutOff)
    }
  }

  // MARK: Waiting

  func waitedTooLong(_ reason: ScopeState.Park) {
    switch reason {
    case .held: reachLimit(.heldForTooLong(situation, after: options.holdLimit))
    case .elsewhere: reachLimit(.waitedElsewhere(situation, after: options.holdLimit))
    case .stalled:
      let wasStuckAtOnce = state.withLock { $0.exploring?.wasStuckAtOnce } ?? false
      let limit = wasStuckAtOnce ? nil : options.stallLimit
      reachLimit(.stuck(situation, after: limit))
    }
  }

  /// Makes sure that the scope is looked at when it has gone on for too long as it does now.
  func startWatching() {
    if let delay = state.withLock({ $0.startWatching(at: cvt_uptime()) }) { look(after: delay) }
  }

  private func look(after delay: Nanoseconds) {
    let deadline = exempt { DispatchTime.now() } + .nanoseconds(Int(clamping: delay))
    exempt {
      DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in
        if Platform.capturesMainActor { self?.look() } else { self?.lookBehindOthers() }
      }
    }
  }

  /// Looks behind the scope's jobs that the hook does not see, in the pool's queues and the main queue.
  private func lookBehindOthers(
    in pool: ArraySlice<TaskPriority> = [.high, .medium, .utility, .background]
  ) {
    guard let priority = pool.first else { return DispatchQueue.main.async { self.look() } }
    Task.detached(priority: priority) { self.lookBehindOthers(in: pool.dropFirst()) }
  }

  private func look() {
    var effort = cvt_effort()
    let thread = state.withLock(\.thread)
    let isKnown = thread.map { cvt_effort_of($0, &effort) } ?? false
    let now = cvt_uptime()
    let share = ProcessorShare.now(at: now)
    let found = state.withLock { $0.look(at: now, effort: isKnown ? effort : nil, share: share) }
    switch found {
    case .nothing: break
    case .again(let delay): look(after: delay)
    case .drain: handOver()
    case .lost(let body, let leftovers):
      finishWithoutThread(
        body, reporting: .leftovers(leftovers, unresponsive: leftovers, policy: options.leftovers))
    }
  }
}
