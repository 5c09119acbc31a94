import CReach
import CVirtualTime
import _EscapementCore

// What happens when a scope waits or runs for too long; Documentation/Liveness.md lists the rules.
// Each limit is reached in two steps: at first the body is cancelled, and if that does not help, it
// is given up. Only the first problem is noted; what follows from it is not. Problems are reported
// when the call returns, at its line. To look at a million tasks for a report takes seconds: until
// it has been made, no limit counts.

extension Scope {
  func report(_ problem: Problem?) {
    guard let problem else { return }
    reports.problems.withLock { $0.append(problem) }
    recorder?.reports(problem, at: now)
  }

  private var situation: Situation {
    let stragglers = state.withLock({ $0.threads.stragglers }).prefix(shownItems)
      .map { WaitingThread($0.thread, in: $0.waitsIn, body: bodyNumber) }
    let parked = parkedThreads.map { WaitingThread($0, body: bodyNumber) }
    let waiting = waitingTasks(besides: stragglers + parked)
    return Situation(
      now: now, mode: options.mode, others: waiting.list,
      isHeld: state.withLock { !$0.time.holds.isEmpty }, body: waiting.bodyWait,
      awaited: reports.waits.withLock(\.all).map { $0() },
      deadlock: Deadlock.first(among: waiting.living.map { UnsafeRawPointer($0) }),
      stragglers: stragglers, parked: parked,
      timers: state.withLock { $0.time.sleepers.workTimers(atMost: shownItems) }, kept: keptWork)
  }

  /// The number of the body's task, if the body has not ended.
  var bodyNumber: UInt64? {
    state.withLock { $0.life.hasBody ? $0.body : nil }.map { cvt_number_of($0) }
  }

  /// The first of the threads that wait in the scope's time.
  private var parkedThreads: [Int32] {
    guard reaches else { return [] }
    return [Int32](unsafeUninitializedCapacity: shownItems) { buffer, count in
      count = rch_parked_threads(number, buffer.baseAddress!, shownItems)
    }
  }

  /// The first blocks and threads that wait for their queues.
  private var keptWork: [Work] {
    guard reaches else { return [] }
    return [rch_work](unsafeUninitializedCapacity: shownItems) { buffer, count in
      count = rch_kept_work(number, buffer.baseAddress!, shownItems)
    }.compactMap { Work($0) }
  }

  /// The tasks that wait at present.
  ///
  /// - Parameter threads: Threads that wait, too, and may keep actors busy.
  func waitingTasks(besides threads: [WaitingThread] = []) -> WaitingTasks {
    let (sleeps, body, holders) = state.withLock {
      ($0.time.sleepers.all, $0.life.hasBody ? $0.body : nil, $0.time.holds.tasks)
    }
    return WaitingTasks(
      sleeps: sleeps, living: livingTasks(), body: body,
      holders: Set(holders.keys.map { UnsafeRawPointer($0) }),
      occupants: Dictionary(
        threads.compactMap { thread in
          thread.place.flatMap { place in
            place.executor.flatMap { executor in place.task.map { (executor, $0.description) } }
          }
        }, uniquingKeysWith: { first, _ in first }),
      isOwn: { [number] task in
        cvt_task_record(cvt_number_of(task), false).map { cvt_owner($0) == number } ?? false
      })
  }

  /// Cancels the body, or at the second time gives it up.
  func reachLimit(_ problem: @autoclosure () -> Problem) {
    // To look at many tasks takes time, in which the scope is not blocked. It is real: to wait for
    // the answer of a thread in the scope's time would be to wait for ever.
    let problem = state.withLock({ $0.beginReport() }) ? exempt { problem() } : nil
    // Also if the body has ended meanwhile: the signal that asks its thread where it is may have
    // ended its wait.
    report(problem)
    // The search of an exploration has last words of its own.
    if let problem, options.exploredRun?.journal == nil {
      let words = exempt { LastWords(problem.message(.completedAfterLimit)) }
      reports.lastWords.withLock { $0 = words }
    }
    if state.withLock({ $0.reachLimit() }) {
      draining.patience = Patience(jobLimit: min(options.jobLimit, Scope.jobsAfterCancellation))
      body.cancel()
    }
  }

  /// Reports a problem in any case, and cancels the body if no limit was reached before.
  func cancelBody(for problem: Problem) {
    if case .running = state.withLock({ $0.life }) { reachLimit(problem) } else { report(problem) }
  }

  // MARK: Jobs and events

  /// Whether another job may run as far as the limits say.
  @inline(__always) func allowsJob() -> Bool {
    draining.patience.allowsJob()
  }

  private func report(_ crowd: Patience.Crowd) {
    guard case .running = state.withLock({ $0.life }) else { return }
    if crowd == .threads {
      reachLimit(.tooManyThreads(situation, count: state.withLock({ $0.threads.parked })))
      // Each job may make another thread.
      return draining.patience.lower(to: options.threadLimit / 8)
    }
    let tasks = draining.live.remaining()
    let last = tasks.suffix(shownItems).map {
      Patience.Witness(task: TaskDescription(of: $0), place: WaitingPlace(of: $0))
    }
    reachLimit(.tooManyTasks(at: now, count: tasks.count, last: last))
  }

  /// Decides about another job when the limit is reached; returns `false` if it must not run.
  func tolerateMoreJobs() -> Bool {
    if let crowd = draining.patience.takeCrowd() {
      report(crowd)
      return true
    }
    if state.withLock({ $0.isHeldWhileRunning || $0.hasDueSleeper }), draining.patience.extend() {
      for timer in state.withLock({ $0.takeDueSleepers() }) { wake(timer) }
      return true
    }
    let count = draining.patience.jobsAllowed
    guard case .exhausted(let tasks, let works) = draining.patience.decide() else { return true }
    switch state.withLock({ $0.life }) {
    case .running:
      reachLimit(.endlessJobs(at: now, count: count, witnesses(tasks, works)))
      return true
    case .limitReached:
      _ = state.withLock { $0.reachLimit() }
    case .ending:
      // The body has ended, but the scope never comes to rest: no waiting for that any longer.
      if cancelLeftovers() { return true }
    case .cancelling, .ended:
      break
    }
    // Ready jobs that will never end by themselves are not run any more.
    draining.ending.isWithoutEnd = true
    while let job = draining.ready.popFirst() { drop(job) }
    return false
  }

  /// The tasks and works that were seen to go on.
  private func witnesses(_ tasks: [Patience.Witness], _ works: [Work]) -> [String] {
    // A thread can be asked where it is now, and not when the problem is reported.
    let works =
      works.filter { $0.thread == 0 }.map(\.description)
      + works.map(\.thread).filter { $0 != 0 }.map {
        WaitingThread($0, body: bodyNumber).description
      }
    return tasks.map(\.description) + works
  }

  /// Counts what a task does inside a job of the scope that may never end, such as an actor's.
  func taskGoesOn(_ task: UnsafeMutableRawPointer) {
    guard cvt_baton_try_keep() else { return }
    defer { cvt_baton_release() }
    recorder?.ranInActor(task, at: now)
    cvt_count_up(jobsBegun)
    if draining.patience.isWatching {
      draining.patience.note(TaskDescription(of: task))
      draining.patience.note(placeOf: task)
    }
    guard !allowsJob(), !tolerateMoreJobs() else { return }
    let life = state.withLock({ $0.life })
    guard let body = state.withLock({ $0.end(withoutThread: true) }) else { return }
    let living = WaitingTasks(sleeps: [], living: livingTasks()).list
    let leftovers = if case .cancelling(_, _, let first) = life { first } else { living }
    reportLeftovers(
      .leftovers(leftovers, unresponsive: living, policy: options.leftovers), body)
    finishWithoutThread(body)
  }

  func tooManyEvents() {
    reachLimit(.endlessEvents(situation, count: state.withLock({ $0.time.eventsAtLimit })))
    guard state.withLock({ $0.life }).hasBody else { return }
    for driver in state.withLock({ $0.time.drivers.removeAll() }) {
      driver.continuation.resume(returning: .cutOff)
    }
  }

  // MARK: Waiting

  /// The circle of tasks that the body waits for, if there is one.
  private var deadlock: Deadlock? {
    state.withLock { $0.life.hasBody ? $0.body : nil }.flatMap { Deadlock.ofBody($0) }
  }

  /// Does not wait for anything outside the scope, if nothing there can help.
  func endHopelessWait() {
    if deadlock != nil, state.withLock({ $0.endWait() }) { handOver() }
  }

  func waitedTooLong(_ reason: Baton.Park) {
    switch reason {
    case .held:
      state.withLock({ $0.holdsAreSleeps })
        ? reachLimit(.sleptReally(situation, after: options.holdLimit))
        : reachLimit(.heldForTooLong(situation, after: options.holdLimit))
    case .elsewhere: reachLimit(.waitedElsewhere(situation, after: options.holdLimit))
    case .stalled:
      if let deadlock { return reachLimit(.deadlocked(deadlock, at: now)) }
      let wasStuckAtOnce = state.withLock { $0.exploring?.wasStuckAtOnce } ?? false
      let limit = wasStuckAtOnce ? nil : options.stallLimit
      reachLimit(.stuck(situation, after: limit))
    }
  }
}
