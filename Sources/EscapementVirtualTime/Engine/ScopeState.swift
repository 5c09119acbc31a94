import CReach
import CVirtualTime
import _EscapementCore

/// The decisions of a scope: what happens next, and what each event changes.
///
/// A value, reached under the scope's lock. It moves time and takes timers out; running jobs and
/// resuming continuations is up to the caller, once the lock is free.
struct ScopeState {
  /// Why a scope waits for other threads.
  enum Park: Equatable {
    /// A hold is open.
    case held
    /// A task of the scope runs on a thread that does not drain the scope, or is about to.
    case elsewhere
    /// Nothing of the scope can run.
    case stalled
  }

  /// Whether a thread drains the scope.
  private enum Baton {
    /// A thread has been asked to take the baton.
    case handedOver
    /// A thread has it, with this number.
    case taken(thread: Int32)
    /// No thread has it; the scope waits.
    case parked(Park)
  }

  /// What has to be done when a scope has been looked at.
  enum Look {
    case nothing
    /// Look again after so many nanoseconds.
    case again(after: Nanoseconds)
    /// It has waited for too long: drain it.
    case drain
    /// The thread that runs what is left over has not come back; the scope has ended without it.
    case lost(Life.Body, [Leftover])
  }

  let options: VirtualTimeOptions
  private(set) var life = Life.running
  private var baton = Baton.parked(.stalled)
  /// How often the baton has changed hands, which tells one wait from the next.
  private var turn = 0
  /// Where the scope is drained, or was at last.
  private(set) var place = Place.lane
  private var watch = Watch()
  /// What the scope has waited for too long, which the next step tells.
  private var overdue: Park?
  /// Whether tasks on other threads are not waited for any more, since the body has ended.
  private var ignoresOtherThreads = false
  private(set) var now: Nanoseconds = 0
  var timers = TimerQueue<Nanoseconds, SleepTimer>()
  /// The names of those sleeping tasks that have one; may hold some that no longer sleep.
  private var names: [TimerToken: String] = [:]
  /// What became ready on other threads.
  private var inbox: [ReadyJob] = []
  private(set) var holds = 0
  private var realSleeps = SleepJobs()
  var cancelledSleeps = SleepJobs()
  /// Who is asked before time moves.
  var outsiders = Outsiders()
  /// Who moves time by hand; the latest goes first, since it runs inside what others have set off.
  private var drivers: [Driver] = []
  private var nextDriver: Driver.ID = 0
  /// The task that runs the body.
  var body: UnsafeMutableRawPointer?
  /// Tasks that were created on other threads, each retained once.
  var newTasks: [UnsafeMutableRawPointer] = []
  /// How many deadlines have passed since the body last woke or a driver last moved time.
  private var eventsSinceBody = 0
  /// What is known while schedules are explored.
  var exploring: Exploring?

  init(options: VirtualTimeOptions) {
    self.options = options
    exploring = options.exploredRun.map {
      Exploring($0, longestJob: Nanoseconds(roundingUp: options.longestJob))
    }
  }

  /// The earliest deadline that time can reach.
  var nextDeadline: Nanoseconds? {
    timers.firstDeadline.flatMap { $0 == .never ? nil : $0 }
  }

  /// Whether no job is ready or running, and no hold is open.
  var isIdle: Bool { waiting?.reason == .stalled && inbox.isEmpty }

  /// Those that sleep, in the order in which they will wake.
  var sleepers: [Sleep] {
    timers.inOrder.compactMap { deadline, token, timer in
      if case .entry = timer.wakeup, timer.task == nil { return nil }
      let task = timer.task.map { TaskDescription(id: cvt_task_id($0), name: names[token]) }
      return Sleep(
        task: task, pointer: timer.task, start: timer.armedAt, deadline: deadline)
    }
  }

  // MARK: Events. Those that return a `Bool` tell whether a thread must start to drain the scope.

  mutating func add(_ job: ReadyJob) -> Bool {
    inbox.append(job)
    if case .parked(.stalled) = baton { exploring?.hasWorkOutside = true }
    return startDraining()
  }

  /// Adds an entry; returns `nil` if the scope has ended.
  mutating func addEntry(_ job: ReadyJob) -> Bool? { life.hasEnded ? nil : add(job) }

  /// Takes out what can never run, since the scope has ended.
  mutating func takeEntries() -> [UnsafeMutablePointer<rch_entry>] {
    var entries = inbox.compactMap(\.entry)
    inbox = []
    while let (_, timer) = timers.popFirst() {
      if case .entry(let entry) = timer.wakeup { entries.append(entry) }
    }
    return entries
  }

  /// Why the scope waits, and a number that tells this wait from others.
  var waiting: (reason: Park, count: Int)? {
    if case .parked(let reason) = baton { (reason, turn) } else { nil }
  }

  /// Takes the baton, so that a thread drains the scope.
  mutating func startDraining() -> Bool {
    guard case .parked = baton, !life.hasEnded else { return false }
    baton = .handedOver
    turn += 1
    return true
  }

  /// The baton goes to a thread of this kind.
  ///
  /// Returns where that is.
  mutating func handOver(to place: Place?) -> Place {
    baton = .handedOver
    if let place { self.place = place }
    return self.place
  }

  /// A thread begins to drain.
  ///
  /// Returns `false` if the scope has ended meanwhile.
  mutating func beginTurn(at place: Place, thread: Int32 = 0) -> Bool {
    baton = .taken(thread: thread)
    turn += 1
    self.place = place
    return !life.hasEnded
  }

  mutating func openHold() {
    holds += 1
    exploring?.hasWorkOutside = true
  }

  mutating func closeHold() -> Bool {
    precondition(holds > 0, "a hold was closed twice")
    holds -= 1
    return holds == 0 && startDraining()
  }

  /// Begins a sleep in real time, which holds virtual time.
  mutating func beginRealSleep(_ job: UnownedJob) -> UInt32 {
    openHold()
    return realSleeps.begin(job)
  }

  mutating func realSleepIsOver(_ id: UInt32) -> Bool {
    guard let job = endRealSleep(id) else { return false }
    return add(ReadyJob(endingSleep: job))
  }

  /// Ends a real sleep, unless it has ended.
  mutating func endRealSleep(_ id: UInt32) -> UnownedJob? {
    guard let job = realSleeps.end(id) else { return nil }
    // Not `closeHold`: the caller sees to it that the job runs, and with it the scope.
    holds -= 1
    return job
  }

  /// Arms a timer, unless the scope has ended.
  mutating func arm(
    _ timer: SleepTimer, until deadline: Nanoseconds, name: String?
  ) -> (token: TimerToken, mustDrain: Bool)? {
    guard !life.hasEnded else { return nil }
    let token = timers.insert(timer, at: deadline, last: body != nil && timer.task == body)
    exploring?.armed(until: deadline)
    if let name { remember(name, of: token) }
    return (token, startDraining())
  }

  private mutating func remember(_ name: String, of token: TimerToken) {
    if names.count > 2 * timers.count { names = names.filter { timers.contains($0.key) } }
    names[token] = name
  }

  /// Adds a driver, unless the body has ended.
  mutating func add(_ driver: Driver) -> Bool {
    guard life.hasBody else { return false }
    drivers.append(driver)
    drivers[drivers.count - 1].id = nextDriver
    nextDriver += 1
    return true
  }

  /// The driver that was asked for a step had none left.
  mutating func stepsAreDone(of driver: Driver.ID) {
    // It is not the last one if code on another thread has begun to move time meanwhile.
    guard let index = drivers.lastIndex(where: { $0.id == driver }) else { return }
    drivers[index].goal = .settle
  }

  mutating func takeNewTasks() -> [UnsafeMutableRawPointer] {
    defer { newTasks = [] }
    return newTasks
  }

  /// The body has ended.
  mutating func endBody() -> Bool { life.endBody() && startDraining() }

  /// A limit is reached.
  ///
  /// Returns whether the body is to be cancelled; else it has been given up.
  mutating func reachLimit() -> Bool { life.reachLimit() }

  /// These tasks are left over; see `Life`.
  mutating func leave(_ leftovers: [Leftover]) -> Bool { life.leave(leftovers) }

  /// Takes out the drivers, which wait for nothing now.
  mutating func removeDrivers() -> [Driver] {
    defer { drivers = [] }
    return drivers
  }

  /// The scope ends.
  ///
  /// Returns how its body ended, once.
  mutating func end() -> Life.Body? { life.end() }

  // MARK: Deciding

  /// Decides what happens next, given that no job is ready on the draining thread.
  ///
  /// - Parameter isUnderway: Whether a task of the scope is enqueued or running on another thread.
  mutating func next(isUnderway: Bool = false) -> Step {
    if !inbox.isEmpty {
      outsiders.somethingRuns()
      defer { inbox = [] }
      return .run(inbox)
    }
    if let reason = overdue.take() {
      if !life.hasBody { ignoresOtherThreads = true }
      return .waitedTooLong(reason)
    }
    switch life {
    case .running, .limitReached:
      if holds > 0 { return park(.held) }
      if isUnderway { return park(.elsewhere) }
      // What is due needs no move of time: a sleep of a standard clock until now.
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
    guard eventsSinceBody < options.eventLimit else {
      eventsSinceBody = 0
      return .tooManyEvents
    }
    outsiders.somethingRuns()
    let (deadline, timer) = takeChosenSleeper() ?? timers.popFirst()!
    timers.first?.prefetch()
    now = max(now, deadline)
    eventsSinceBody = timer.task == body ? 0 : eventsSinceBody + 1
    return .wake(timer)
  }

  /// Whether time moves without code that moves it.
  var movesByItself: Bool { options.mode == .automatic && drivers.isEmpty }

  mutating func moveTime(to instant: Nanoseconds) { now = max(now, instant) }

  private mutating func resumeLastDriver(_ outcome: Driver.Outcome) -> Step {
    eventsSinceBody = 0
    outsiders.somethingRuns()
    return .resume(drivers.removeLast(), outcome)
  }

  private mutating func park(_ reason: Park) -> Step {
    baton = .parked(reason)
    turn += 1
    return .park(reason)
  }
}

// MARK: - Looking at a scope from time to time

extension ScopeState {
  /// The thread that drains the scope.
  var thread: Int32? { if case .taken(let thread) = baton { thread } else { nil } }

  /// How long, in real time, the scope may go on as it does; `nil` if that is not limited.
  private var patience: Nanoseconds? {
    switch (baton, life) {
    case (_, .ended), (.handedOver, _), (.taken, .running), (.taken, .limitReached),
      (.taken, .ending):
      nil
    case (.taken, .cancelling): place == .lane ? patienceAtEnd : nil
    case (.parked(.stalled), _): Nanoseconds(roundingUp: options.stallLimit)
    // Something is under way, and is known to be.
    case (.parked(.held), _), (.parked(.elsewhere), _): Nanoseconds(roundingUp: options.holdLimit)
    }
  }

  /// Long, since a thread may wait for locks of the system whose holders get no processor.
  private var patienceAtEnd: Nanoseconds {
    max(Nanoseconds(roundingUp: Saturating.product(options.stallLimit, 5)), 100_000_000)
  }

  private var watched: Watch.Subject? {
    patience.map { patience in
      // Not longer than the shortest wait allows, since one may follow.
      let shortest = min(patience, Nanoseconds(roundingUp: options.stallLimit))
      return Watch.Subject(
        turn: turn, patience: patience, slice: max(1_000_000, shortest / Watch.slices))
    }
  }

  /// Begins to watch the present turn.
  ///
  /// Returns when to look, unless that is settled.
  mutating func startWatching(at realTime: Nanoseconds) -> Nanoseconds? {
    watched.flatMap { watch.start($0, at: realTime) }
  }

  /// Looks at the scope.
  ///
  /// - Parameters:
  ///   - effort: What the thread that drains the scope is doing, if that is known.
  ///   - share: How much of the processors that it could use the process gets, from 0 to 1.
  mutating func look(
    at realTime: Nanoseconds, effort: cvt_effort? = nil, share: Double = 1
  ) -> Look {
    guard let watched else {
      watch.stop()
      return .nothing
    }
    if case .again(let delay) = watch.look(at: watched, realTime, effort: effort, share: share) {
      return .again(after: delay)
    }
    if case .parked(let reason) = baton {
      overdue = reason
      return startDraining() ? .drain : .nothing
    }
    guard case .cancelling(let body, _, let leftovers) = life else { return .nothing }
    _ = life.end()
    return .lost(body, leftovers)
  }
}
