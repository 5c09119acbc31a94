// The next step, the first of these that applies:
//
// 1. The inbox has jobs: run them.
// 2. The scope has waited for too long, or has a hold too many: see `Scope+Limits`.
// 3. The body has ended: cancel what is left over, or end the scope.
// 4. A hold is open, or a task is under way on another thread: park.
// 5. A deadline is due already: wake its first sleeper. The draining thread also wakes all due
//   sleepers when `jobLimit` is reached, since a task may yield until one of them has done
//   something.
// 6. An external source has not been asked since something ran: ask.
// 7. Time is moved by hand (a *driver*): do the next step of the latest one.
// 8. Time is automatic and there is a deadline: set `now` to it, and wake its first sleeper.
// 9. Park.
//
// So *idle* is counted and never guessed: the ready queue is empty, the inbox is empty, no hold is
// open, and no task is under way elsewhere. There is no yield and no delay in it. A parked scope
// costs nothing.
//
// One sleeper is woken at a time. All that follows from it runs before the next one wakes, even if
// both have the same deadline. Sleepers with equal deadlines wake in the order in which they were
// armed, and the body last: what a test expects after it has slept for a second is all that happens
// within that second.

extension ScopeState {
  /// The next action of the thread that drains the scope.
  enum Step {
    case run([ReadyJob])
    case wake(SleepTimer)
    case resume(Driver, Driver.Outcome)
    case ask(@Sendable () -> Bool, Driver.ID)
    case askOutside([ExternalSource])
    case tooManyEvents
    case waitedTooLong(Baton.Park)
    case tooManyHolds([TaskDescription])
    case cancelLeftovers
    case park(Baton.Park)
  }

  /// Decides what happens next, given that no job is ready on the draining thread.
  ///
  /// - Parameter isUnderway: Whether a task of the scope is enqueued or running on another thread.
  mutating func next(isUnderway: Bool = false) -> Step {
    if !inbox.isEmpty { return .run(takeInbox()) }
    if let openers = time.holds.takeTooMany() { return .tooManyHolds(openers) }
    if let reason = watches.overdue.take() {
      // The body has ended, or is given up now.
      if case .running = life {
      } else if !life.hasBody || reason == .elsewhere {
        threads.areOthersIgnored = true
      }
      return .waitedTooLong(reason)
    }
    switch life {
    case .running, .limitReached:
      if !time.holds.isEmpty { return park(.held) }
      if isUnderway { return park(.elsewhere) }
      // A due sleeper needs no move of time, such as a sleep of a standard clock until now.
      let nextDeadline = time.sleepers.nextDeadline
      if let nextDeadline, nextDeadline <= time.now { return wakeNext() }
      if let sources = time.externalSources.toAsk() { return .askOutside(sources) }
      if let driver = time.drivers.last { return next(for: driver) }
      if options.mode == .automatic, nextDeadline != nil { return wakeNext() }
      if exploring?.isStuckAtOnce() == true { return .waitedTooLong(.stalled) }
      return park(.stalled)
    case .ending, .cancelling:
      if isUnderway, !threads.areOthersIgnored { return park(.elsewhere) }
      return .cancelLeftovers
    case .ended:
      return park(.stalled)
    }
  }

  private mutating func next(for driver: Driver) -> Step {
    let nextDeadline = time.sleepers.nextDeadline
    switch driver.goal {
    case .settle:
      return resumeLastDriver(.done)
    case .move(by: let distance):
      let (start, target) = (time.now, time.now.addingSaturating(distance))
      guard let nextDeadline, nextDeadline <= target else {
        time.move(to: min(target, .last))
        return resumeLastDriver(.done)
      }
      let step = wakeNext()
      time.drivers.setGoalOfLast(.move(by: distance - (time.now - start)))
      return step
    case .advance(let target):
      if let nextDeadline, nextDeadline <= target { return wakeNext() }
      time.move(to: min(target, .last))
      return resumeLastDriver(.done)
    case .run(let limit):
      guard nextDeadline != nil else { return resumeLastDriver(.done) }
      guard limit > 0 else { return resumeLastDriver(.limitReached) }
      time.drivers.setGoalOfLast(.run(limit: limit - 1))
      return wakeNext()
    case .steps(let step):
      time.externalSources.somethingRuns()
      return .ask(step, driver.id)
    }
  }

  private mutating func wakeNext() -> Step {
    guard time.events < eventLimit else { return tooManyEvents() }
    time.countEvent()
    let (deadline, timer) = takeChosenSleeper() ?? time.sleepers.popFirst()!
    time.move(to: deadline)
    return .wake(timer)
  }

  /// Whether a sleeper is due, although jobs are ready.
  var hasDueSleeper: Bool {
    guard life.hasBody, time.holds.isEmpty, let deadline = time.sleepers.nextDeadline else {
      return false
    }
    return deadline <= time.now && time.events < eventLimit
  }

  mutating func takeDueSleepers() -> [SleepTimer] {
    var due: [SleepTimer] = []
    while hasDueSleeper, case .wake(let timer) = wakeNext() { due.append(timer) }
    return due
  }

  /// Moves time to an instant for the thread that has the baton, if nothing can happen before or
  /// then.
  ///
  /// - Parameter isUnderway: Whether a task of the scope is enqueued or running on another thread.
  mutating func passTime(to instant: Nanoseconds, isUnderway: Bool) -> Bool {
    guard isIdle(besidesUnderway: isUnderway), movesByItself, time.events < eventLimit,
      exploring == nil
    else { return false }
    if let deadline = time.sleepers.nextDeadline, deadline <= instant { return false }
    time.events += 1
    time.move(to: instant)
    return true
  }

  /// Whether nothing can happen but that the thread goes on that has the baton.
  func isAlone(isUnderway: Bool) -> Bool {
    isIdle(besidesUnderway: isUnderway) && time.drivers.isEmpty
      && (options.mode == .manual || time.sleepers.nextDeadline == nil)
  }

  /// Whether nothing can happen before time moves but that the thread goes on that has the baton.
  private func isIdle(besidesUnderway isUnderway: Bool) -> Bool {
    guard case .running = life else { return false }
    return hasEmptyInbox && time.holds.isEmpty && !isUnderway && watches.overdue == nil
      && time.externalSources.isEmpty
  }

  /// Whether time moves without code that moves it.
  var movesByItself: Bool { options.mode == .automatic && time.drivers.isEmpty }

  private var eventLimit: Int {
    if case .limitReached = life {
      min(options.eventLimit, Self.eventsAfterCancellation)
    } else {
      options.eventLimit
    }
  }

  private mutating func tooManyEvents() -> Step {
    time.reachEventLimit()
    return .tooManyEvents
  }

  private mutating func resumeLastDriver(_ outcome: Driver.Outcome) -> Step {
    guard time.events < eventLimit else { return tooManyEvents() }
    time.countEvent()
    return .resume(time.drivers.removeLast(), outcome)
  }

  private mutating func park(_ reason: Baton.Park) -> Step {
    baton.park(reason)
    return .park(reason)
  }
}
