import CVirtualTime
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
      bodyAwaits: state.withLock(\.body).map { Awaited(of: $0) } ?? .unknown,
      awaited: waits.withLock(\.all).map { $0() },
      stragglers: state.withLock(\.stragglers))
  }

  /// Cancels the body, or at the second time gives it up.
  private func reachLimit(_ problem: @autoclosure () -> Problem) {
    if state.withLock({ $0.reachLimit() }) {
      report(problem())
      patience = Patience(jobLimit: min(options.jobLimit, Scope.jobsAfterCancellation))
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
    guard cvt_baton_try_keep() else { return }
    defer { cvt_baton_release() }
    recorder?.ranInActor(task, at: now)
    cvt_count_up(jobsBegun)
    if patience.isWatching {
      patience.note(TaskDescription(id: cvt_task_id(task), name: nil))
      patience.note(placeOf: task)
    }
    guard !patience.allowsJob(), !tolerateMoreJobs() else { return }
    let life = state.withLock(\.life)
    guard let body = state.withLock({ $0.lose() }) else { return }
    let living = Leftover.list([], livingTasks())
    let leftovers = if case .cancelling(_, _, let first) = life { first } else { living }
    reportLeftovers(
      .leftovers(leftovers, unresponsive: living, policy: options.leftovers), body)
    finishWithoutThread(body)
  }

  func tooManyEvents() {
    reachLimit(.endlessEvents(situation, limit: options.eventLimit))
    guard state.withLock(\.life).hasBody else { return }
    for driver in state.withLock({ $0.removeDrivers() }) {
      driver.continuation.resume(returning: .cutOff)
    }
  }

  // MARK: Event loops

  /// An event loop that the scope does not own has been given work.
  func meetsForeignLoop(isShared: Bool) {
    guard !hasMetForeignLoop else { return }
    hasMetForeignLoop = true
    let problem = Problem.foreignEventLoop(at: now, isShared: isShared)
    if case .running = state.withLock(\.life) { reachLimit(problem) } else { report(problem) }
  }

  // MARK: Connections

  /// Code of the scope has connected to an address that this process does not serve.
  func meetsStranger(at address: String) {
    guard !hasMetStranger else { return }
    hasMetStranger = true
    report(.foreignServer(at: now, address))
  }

  // MARK: Waiting

  /// The circle of tasks that the body waits for, if there is one.
  private var deadlock: Deadlock? {
    state.withLock { $0.life.hasBody ? $0.body : nil }.flatMap { Deadlock(from: $0) }
  }

  /// Does not wait for anything outside the scope, if nothing there can help.
  func endHopelessWait() {
    if deadlock != nil, state.withLock({ $0.endWait() }) { handOver() }
  }

  func waitedTooLong(_ reason: ScopeState.Park) {
    switch reason {
    case .held: reachLimit(.heldForTooLong(situation, after: options.holdLimit))
    case .elsewhere: reachLimit(.waitedElsewhere(situation, after: options.holdLimit))
    case .stalled:
      if let deadlock { return reachLimit(.deadlocked(deadlock, at: now)) }
      let wasStuckAtOnce = state.withLock { $0.exploring?.wasStuckAtOnce } ?? false
      let limit = wasStuckAtOnce ? nil : options.stallLimit
      reachLimit(.stuck(situation, after: limit))
    }
  }
}
