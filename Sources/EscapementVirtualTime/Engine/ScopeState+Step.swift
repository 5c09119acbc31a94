extension ScopeState {
  /// What the thread that drains the scope has to do next.
  enum Step {
    case run([ReadyJob])
    case wake(SleepTimer)
    case resume(Driver, Driver.Outcome)
    case ask(@Sendable () -> Bool, Driver.ID)
    case askOutside([Outsider])
    case tooManyEvents
    case waitedTooLong(Park)
    case cancelLeftovers
    case park(Park)
  }

  /// Decides what happens next, given that no job is ready on the draining thread.
  ///
  /// - Parameter isUnderway: Whether a task of the scope is enqueued or running on another thread.
  mutating func next(isUnderway: Bool = false) -> Step {
    if !inbox.isEmpty { return .run(takeInbox()) }
    if let reason = overdue.take() {
      // The body has ended, or is given up now.
      if case .running = life {
      } else if !life.hasBody || reason == .elsewhere {
        ignoresOtherThreads = true
      }
      return .waitedTooLong(reason)
    }
    switch life {
    case .running, .limitReached:
      if holds > 0 { return park(.held) }
      if isUnderway { return park(.elsewhere) }
      // A due sleeper needs no move of time, such as a sleep of a standard clock until now.
      if let nextDeadline, nextDeadline <= now { return wakeNext() }
      if let outsiders = outsiders.toAsk() { return .askOutside(outsiders) }
      if let driver = drivers.last { return next(for: driver) }
      if options.mode == .automatic, nextDeadline != nil { return wakeNext() }
      if exploring?.isStuckAtOnce() == true { return .waitedTooLong(.stalled) }
      return park(.stalled)
    case .ending, .cancelling:
      if isUnderway, !ignoresOtherThreads { return park(.elsewhere) }
      return .cancelLeftovers
    case .ended:
      return park(.stalled)
    }
  }

  private mutating func next(for driver: Driver) -> Step {
    switch driver.goal {
    case .settle:
      return resumeLastDriver(.done)
    case .move(by: let distance):
      let (start, target) = (now, now.addingSaturating(distance))
      guard let deadline = nextDeadline, deadline <= target else {
        now = max(now, min(target, .last))
        return resumeLastDriver(.done)
      }
      let step = wakeNext()
      drivers[drivers.count - 1].goal = .move(by: distance - (now - start))
      return step
    case .advance(let target):
      if let deadline = nextDeadline, deadline <= target { return wakeNext() }
      now = max(now, min(target, .last))
      return resumeLastDriver(.done)
    case .run(let limit):
      guard nextDeadline != nil else { return resumeLastDriver(.done) }
      guard limit > 0 else { return resumeLastDriver(.limitReached) }
      drivers[drivers.count - 1].goal = .run(limit: limit - 1)
      return wakeNext()
    case .steps(let step):
      outsiders.somethingRuns()
      return .ask(step, driver.id)
    }
  }

  mutating func wakeNext() -> Step {
    guard events < eventLimit else { return tooManyEvents() }
    events += 1
    outsiders.somethingRuns()
    let (deadline, timer) = takeChosenSleeper() ?? timers.popFirst()!
    timers.first?.prefetch()
    now = max(now, deadline)
    return .wake(timer)
  }

  /// Takes out the jobs that other threads have added.
  mutating func takeInbox() -> [ReadyJob] {
    if inbox.isEmpty { return [] }
    outsiders.somethingRuns()
    defer { inbox = [] }
    return inbox
  }

  /// Whether a sleeper is due, although jobs are ready.
  var hasDueSleeper: Bool {
    guard life.hasBody, holds == 0, let nextDeadline else { return false }
    return nextDeadline <= now && events < eventLimit
  }

  mutating func takeDueSleepers() -> [SleepTimer] {
    var due: [SleepTimer] = []
    while hasDueSleeper, case .wake(let timer) = wakeNext() { due.append(timer) }
    return due
  }

  /// Whether time moves without code that moves it.
  var movesByItself: Bool { options.mode == .automatic && drivers.isEmpty }

  var eventLimit: Int {
    if case .limitReached = life {
      min(options.eventLimit, Self.eventsAfterCancellation)
    } else {
      options.eventLimit
    }
  }

  private mutating func tooManyEvents() -> Step {
    eventsBefore = events
    events = 0
    return .tooManyEvents
  }

  private mutating func resumeLastDriver(_ outcome: Driver.Outcome) -> Step {
    guard events < eventLimit else { return tooManyEvents() }
    events += 1
    outsiders.somethingRuns()
    return .resume(drivers.removeLast(), outcome)
  }

  mutating func park(_ reason: Park) -> Step {
    baton = .parked(reason)
    turn += 1
    return .park(reason)
  }
}
