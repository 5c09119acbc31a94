import CVirtualTime
import _EscapementCore

/// The decisions of a scope: what happens next, and what each event changes.
///
/// A value, reached under the scope's lock. It moves time and takes timers out; running jobs and
/// resuming continuations is up to the caller, once the lock is free.
struct ScopeState {
  enum Phase {
    /// The body has not ended.
    case running
    /// The body has ended, time stands, and what is left over comes to its end.
    case draining
    /// Nothing of the scope runs any more.
    case ended
  }

  /// Why a scope waits for somebody outside.
  enum Park: Equatable {
    /// A hold is open.
    case held
    /// A task of the scope runs on a thread that does not drain the scope, or is about to.
    case elsewhere
    /// Nothing of the scope can run.
    case stalled
  }

  /// What the thread that drains the scope has to do next.
  enum Step {
    case run([ReadyJob])
    case wake(SleepTimer)
    case resume(Driver, Driver.Outcome)
    case ask(@Sendable () -> Bool, Driver.ID)
    case askOutside([Outsider])
    case tooManyEvents
    case bodyIsOver
    case park(Park)
  }

  let options: VirtualTimeOptions
  private(set) var phase = Phase.running
  private(set) var now: Nanoseconds = 0
  var timers = TimerQueue<Nanoseconds, SleepTimer>()
  /// The names of those sleeping tasks that have one; may hold some that no longer sleep.
  private var names: [TimerToken: String] = [:]
  /// What became ready on other threads.
  private var inbox: [ReadyJob] = []
  /// Whether a thread drains the scope, or is about to.
  private var isDrained = false
  private var holds = 0
  private var realSleeps = RealSleeps()
  /// Who is asked before time moves.
  var outsiders = Outsiders()
  /// Who moves time by hand; the latest goes first, since it runs inside what others have set off.
  private var drivers: [Driver] = []
  private var nextDriver: Driver.ID = 0
  /// The task that runs the body.
  var body: UnsafeMutableRawPointer?
  /// Tasks that were created on other threads, each retained once.
  var newTasks: [UnsafeMutableRawPointer] = []
  /// How many deadlines have passed since the body last woke or somebody last moved time.
  private var eventsSinceBody = 0
  /// Why the scope waits, and how often it has done so, which tells one wait from the next.
  private var parked: Park?
  private var parkCount = 0

  init(options: VirtualTimeOptions) {
    self.options = options
  }

  /// The earliest deadline that time can reach.
  var nextDeadline: Nanoseconds? {
    timers.firstDeadline.flatMap { $0 == .never ? nil : $0 }
  }

  /// Whether no job is ready or running, and no hold is open.
  var isIdle: Bool { parked == .stalled && inbox.isEmpty }

  var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Those that sleep, in the order in which they will wake.
  var sleepers: [SleepingTask] {
    timers.inOrder.map { deadline, token, timer in
      let task = timer.task.map { TaskDescription(id: cvt_task_id($0), name: names[token]) }
      return SleepingTask(
        task: task, pointer: timer.task, start: timer.armedAt, deadline: deadline)
    }
  }

  // MARK: Events. Those that return a `Bool` tell whether a thread must start to drain the scope.

  mutating func add(_ job: ReadyJob) -> Bool {
    inbox.append(job)
    return startDraining()
  }

  /// Why the scope waits for somebody outside, and a number that tells this wait from others.
  var waiting: (reason: Park, count: Int)? { parked.map { ($0, parkCount) } }

  /// Makes sure that a thread looks at the scope.
  mutating func startDraining() -> Bool {
    guard !isDrained, phase != .ended else { return false }
    isDrained = true
    parked = nil
    return true
  }

  mutating func openHold() { holds += 1 }

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

  /// Adds a timer, unless the scope has ended.
  mutating func arm(
    _ timer: SleepTimer, until deadline: Nanoseconds, name: String?
  ) -> (token: TimerToken, mustDrain: Bool)? {
    guard phase != .ended else { return nil }
    let token = timers.insert(timer, at: deadline, last: body != nil && timer.task == body)
    if let name { remember(name, of: token) }
    return (token, startDraining())
  }

  private mutating func remember(_ name: String, of token: TimerToken) {
    if names.count > 2 * timers.count { names = names.filter { timers.contains($0.key) } }
    names[token] = name
  }

  /// Returns `false` when the scope has ended, so that nobody may wait.
  mutating func add(_ driver: Driver) -> Bool {
    guard phase == .running else { return false }
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

  /// The body has ended, or is given up.
  mutating func bodyIsOver() -> Bool {
    guard phase == .running else { return false }
    phase = .draining
    return startDraining()
  }

  /// Takes out the drivers, which wait for nothing now.
  mutating func removeDrivers() -> [Driver] {
    defer { drivers = [] }
    return drivers
  }

  mutating func end() { phase = .ended }

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
    switch phase {
    case .running:
      if holds > 0 { return park(.held) }
      if isUnderway { return park(.elsewhere) }
      // What is due needs nobody to move time: a sleep of a standard clock until now.
      if let nextDeadline, nextDeadline <= now { return wakeNext() }
      if let outsiders = outsiders.toAsk() { return .askOutside(outsiders) }
      if let driver = drivers.last { return next(for: driver) }
      if options.mode == .automatic, nextDeadline != nil { return wakeNext() }
      return park(.stalled)
    case .draining:
      if isUnderway { return park(.elsewhere) }
      return .bodyIsOver
    case .ended:
      return park(.stalled)
    }
  }

  private mutating func next(for driver: Driver) -> Step {
    switch driver.goal {
    case .settle:
      return resumeLastDriver(.done)
    case .advance(let target):
      if let deadline = nextDeadline, deadline <= target { return wakeNext() }
      now = max(now, target)
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

  private mutating func wakeNext() -> Step {
    guard eventsSinceBody < options.eventLimit else {
      eventsSinceBody = 0
      return .tooManyEvents
    }
    outsiders.somethingRuns()
    let (deadline, timer) = timers.popFirst()!
    timers.first?.prefetch()
    now = max(now, deadline)
    eventsSinceBody = timer.task == body ? 0 : eventsSinceBody + 1
    return .wake(timer)
  }

  private mutating func resumeLastDriver(_ outcome: Driver.Outcome) -> Step {
    eventsSinceBody = 0
    outsiders.somethingRuns()
    return .resume(drivers.removeLast(), outcome)
  }

  private mutating func park(_ reason: Park) -> Step {
    isDrained = false
    parked = reason
    parkCount += 1
    return .park(reason)
  }
}
