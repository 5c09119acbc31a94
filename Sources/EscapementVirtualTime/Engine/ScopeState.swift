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
  enum Baton {
    /// A thread has been asked to take the baton.
    case handedOver
    /// A thread has it, with this number; `isCaller` if it is inside the call that began the scope.
    case taken(thread: Int32, isCaller: Bool)
    /// No thread has it; the scope waits.
    case parked(Park)
  }

  /// How many deadlines may pass after the body has been cancelled.
  static let eventsAfterCancellation = 10_000

  let options: VirtualTimeOptions
  var life = Life.running
  var baton = Baton.parked(.stalled)
  /// What is to be known to take the baton away from the thread that has it.
  var batonOfThread: UnsafeMutablePointer<cvt_baton>?
  /// How often the baton has changed hands, which tells one wait from the next.
  var turn = 0
  /// Where the scope is drained, or was at last.
  private(set) var place = Place.lane
  var watch = Watch()
  /// How long waits in real time have held time, one after the other.
  var holdWatch = Watch()
  /// Tells on standard error that the scope still advances.
  var progress = Progress()
  /// The job that was cancelled because it has kept its thread for too long.
  var blocked: Watch.Turn?
  /// The threads that the scope has ended without, and whether the caller's is one of them.
  var lost: (threads: [Int32], withCaller: Bool) = ([], false)
  /// The thread of the caller, while it waits without the baton inside the call that began the scope.
  private(set) var waitingCaller: Int32?
  /// Whether the thread that drains the scope finds out what to report.
  var isReporting = false
  /// What the scope has waited for too long, which the next step tells.
  var overdue: Park?
  /// Whether tasks on other threads are not waited for any more, since the body has ended.
  var ignoresOtherThreads = false
  /// The threads that have lost the baton, and have not asked for it since.
  var stragglers: [Straggler] = []
  /// Whether the scope waits because some of them run.
  var waitsForStragglers = false
  /// How many threads wait in the scope's time.
  var parkedThreads = 0
  /// The actors on which threads run tasks that wait in the scope's time.
  var busyActors: [UnsafeRawPointer] = []
  /// How often `BatonWatch` has looked at the scope since the watchdog has.
  var batonLooks = 0
  var now: Nanoseconds = 0
  var timers = TimerQueue<Nanoseconds, SleepTimer>()
  /// The names of those sleeping tasks that have one; may hold some that no longer sleep.
  private var names: [TimerToken: String] = [:]
  /// What became ready on other threads.
  var inbox: [ReadyJob] = []
  var holds = 0
  /// The tasks that have opened holds, and how many each; they live as long as their holds.
  var holders: [UnsafeMutableRawPointer: Int] = [:]
  var realSleeps = SleepJobs()
  var cancelledSleeps = SleepJobs()
  /// What observes the sleeps that begin.
  var observers = SleepObservers()
  private var observerCount: SleepObservers.ID = 0
  /// Who is asked before time moves.
  var outsiders = Outsiders()
  /// Who moves time by hand; the latest goes first, since it runs inside what others have set off.
  var drivers: [Driver] = []
  private var nextDriver: Driver.ID = 0
  /// The task that runs the body.
  var body: UnsafeMutableRawPointer?
  /// Tasks that were created on other threads, each retained once.
  var newTasks: [UnsafeMutableRawPointer] = []
  /// How many deadlines have passed, and moves of time by hand been made.
  var events = 0
  /// How many there were when the limit was reached.
  var eventsBefore = 0
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

  /// Whether other threads have made nothing ready that has not been taken in.
  var hasEmptyInbox: Bool { inbox.isEmpty }

  /// Whether the next step moves time, if no task is under way elsewhere.
  var mayMoveTime: Bool {
    inbox.isEmpty && holds == 0 && life.hasBody && timers.firstDeadline.map { $0 > now } == true
  }

  /// Whether no job is ready or running, and no hold is open.
  var isIdle: Bool { waiting?.reason == .stalled && inbox.isEmpty }

  /// Those that sleep, in the order in which they will wake.
  var sleepers: [Sleep] {
    timers.inOrder.compactMap { deadline, token, timer in
      if case .entry = timer.wakeup, timer.task == nil { return nil }
      let task = timer.task.map { TaskDescription(id: cvt_task_id($0), name: names[token]) }
      return Sleep(
        task: task, clock: timer.clock, pointer: timer.task, start: timer.armedAt,
        deadline: deadline)
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
    waitsForStragglers = false
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
  mutating func beginTurn(
    at place: Place, thread: Int32 = 0, isCaller: Bool = false,
    baton batonOfThread: UnsafeMutablePointer<cvt_baton>? = nil
  ) -> Bool {
    baton = .taken(thread: thread, isCaller: isCaller)
    self.batonOfThread = life.hasEnded ? nil : batonOfThread
    turn += 1
    self.place = place
    if isCaller { waitingCaller = nil }
    return !life.hasEnded
  }

  /// The thread that drains the scope is about to wait for another one to give it the baton back.
  ///
  /// Returns where it drains, and whether it is the caller's.
  mutating func beginWait() -> (place: Place, isCaller: Bool) {
    guard case .taken(let thread, let isCaller) = baton else { return (place, false) }
    // The main thread always comes back.
    if isCaller, place != .main { waitingCaller = thread }
    return (place, isCaller)
  }

  /// Arms a timer, unless the scope has ended.
  ///
  /// - Parameter isOfVisitor: Whether the main thread sleeps in a visit, as if it were the body.
  mutating func arm(
    _ timer: SleepTimer, until deadline: Nanoseconds, name: String?, isOfVisitor: Bool = false
  ) -> (token: TimerToken, mustDrain: Bool)? {
    guard !life.hasEnded else { return nil }
    let isLast = isOfVisitor || (body != nil && timer.task == body)
    let token = timers.insert(timer, at: deadline, last: isLast)
    exploring?.armed(until: deadline)
    if let name { remember(name, of: token) }
    return (token, startDraining())
  }

  /// A number for a new observer of sleeps.
  mutating func nextObserver() -> SleepObservers.ID {
    observerCount += 1
    return observerCount
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

  /// The body has ended.
  mutating func endBody() -> Bool { life.endBody() && startDraining() }

  /// A limit is reached.
  ///
  /// Returns whether the body is to be cancelled; else it has been given up.
  mutating func reachLimit() -> Bool {
    isReporting = false
    holdWatch = Watch()
    return life.reachLimit()
  }

  /// A problem is about to be reported, and until `reachLimit` no limit counts.
  ///
  /// Returns `false` if it is not the first one.
  mutating func beginReport() -> Bool {
    guard case .running = life else { return false }
    isReporting = true
    return true
  }

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
  mutating func end() -> Life.Body? {
    let body = life.end()
    if body != nil {
      // From now on the thread may end, and its memory with it.
      batonOfThread = nil
      loseWaitingCaller()
    }
    return body
  }

  /// The thread of the caller waits for what may never come: the caller goes on without it.
  mutating func loseWaitingCaller() {
    guard let thread = waitingCaller.take() else { return }
    lost.threads.append(thread)
    lost.withCaller = true
  }
}
