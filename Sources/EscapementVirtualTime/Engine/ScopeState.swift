import CReach
import CVirtualTime
import _EscapementCore

/// The decisions of a scope: what happens next, and what each event changes.
///
/// A value, reached under the scope's lock. It moves time and takes timers out; running jobs and
/// resuming continuations is up to the caller, once the lock is free. It has more than a kilobyte: a
/// key path, or a function that takes it, would copy it.
struct ScopeState {
  /// How many deadlines may pass after the body has been cancelled.
  static let eventsAfterCancellation = 10_000

  let options: VirtualTimeOptions
  private(set) var life = Life.running
  /// The task that runs the body.
  var body: UnsafeMutableRawPointer?
  /// Tasks that were created on other threads, each retained once.
  var newTasks: [UnsafeMutableRawPointer] = []
  /// Jobs that other threads have made ready.
  private(set) var inbox: [ReadyJob] = []
  /// The jobs of paused hosts, with the lives to which they belong.
  var kept: [(life: UInt16, job: ReadyJob)] = []
  var baton = Baton()
  var threads = ScopeThreads()
  var time = ScopeTime()
  var watches = Watches()
  /// The state of an exploration.
  var exploring: Exploring?

  init(options: VirtualTimeOptions) {
    self.options = options
    exploring = options.exploredRun.map {
      Exploring($0, longestJob: Nanoseconds(roundingUp: options.longestJob))
    }
  }

  /// Whether other threads have made nothing ready that has not been taken in.
  var hasEmptyInbox: Bool { inbox.isEmpty }

  /// Whether the next step moves time, if no task is under way elsewhere.
  var mayMoveTime: Bool {
    inbox.isEmpty && time.holds.isEmpty && life.hasBody
      && time.sleepers.timers.firstDeadline.map { $0 > time.now } == true
  }

  /// Whether no job is ready or running, and no hold is open.
  var isIdle: Bool { baton.waiting?.reason == .stalled && inbox.isEmpty }

  // MARK: Events. Those that return a `Bool` tell whether a thread must start to drain the scope.

  mutating func add(_ job: ReadyJob) -> Bool {
    inbox.append(job)
    if baton.waiting?.reason == .stalled { exploring?.hasWorkOutside = true }
    return startDraining()
  }

  /// Adds an entry; returns `nil` if the scope has ended.
  mutating func addEntry(_ job: ReadyJob) -> Bool? { life.hasEnded ? nil : add(job) }

  /// Takes out the jobs that other threads have added.
  mutating func takeInbox() -> [ReadyJob] {
    if inbox.isEmpty { return [] }
    time.externalSources.somethingRuns()
    defer { inbox = [] }
    return inbox
  }

  /// Takes out the entries, which never run, since the scope has ended.
  mutating func takeEntries() -> [UnsafeMutablePointer<rch_entry>] {
    var entries = (inbox + kept.map(\.job)).compactMap(\.entry)
    (inbox, kept) = ([], [])
    while let (_, timer) = time.sleepers.popFirst() {
      if case .entry(let entry) = timer.wakeup { entries.append(entry) }
    }
    return entries
  }

  /// Takes the baton, so that a thread drains the scope.
  mutating func startDraining() -> Bool {
    guard !life.hasEnded, baton.offer() else { return false }
    threads.areStragglersAwaited = false
    return true
  }

  /// A thread begins to drain.
  ///
  /// Returns `false` if the scope has ended meanwhile.
  mutating func takeBaton(
    by drainer: Drainer, thread: Int32 = 0, isCaller: Bool = false,
    baton ofThread: UnsafeMutablePointer<cvt_baton>? = nil
  ) -> Bool {
    baton.take(
      by: drainer, thread: thread, isCaller: isCaller, baton: life.hasEnded ? nil : ofThread)
    return !life.hasEnded
  }

  /// Arms a timer, unless the scope has ended.
  ///
  /// - Parameter isOfVisitor: Whether the main thread sleeps in a visit, as if it were the body.
  mutating func arm(
    _ timer: SleepTimer, until deadline: Nanoseconds, name: String?, isOfVisitor: Bool = false
  ) -> (token: TimerToken, mustDrain: Bool)? {
    guard !life.hasEnded else { return nil }
    let isLast = isOfVisitor || (body != nil && timer.task == body)
    let token = time.sleepers.arm(timer, until: deadline, name: name, isLast: isLast)
    exploring?.armed(until: deadline)
    return (token, startDraining())
  }

  /// Adds a driver, unless the body has ended.
  mutating func add(_ driver: Driver) -> Bool {
    guard life.hasBody else { return false }
    time.drivers.append(driver)
    return true
  }

  /// The body has ended.
  mutating func endBody() -> Bool { life.endBody() && startDraining() }

  /// A limit is reached.
  ///
  /// Returns whether the body is to be cancelled; else it has been given up.
  mutating func reachLimit() -> Bool {
    watches.isReporting = false
    watches.hold = Watch()
    return life.reachLimit()
  }

  /// A problem is about to be reported, and until `reachLimit` no limit counts.
  ///
  /// Returns `false` if it is not the first one.
  mutating func beginReport() -> Bool {
    guard case .running = life else { return false }
    watches.isReporting = true
    return true
  }

  /// These tasks are left over; see `Life`.
  mutating func leave(_ leftovers: [Leftover]) -> Bool { life.leave(leftovers) }

  /// The scope ends.
  ///
  /// - Parameter withoutThread: Whether a job keeps the thread that drains the scope.
  /// - Returns: How its body ended, once.
  mutating func end(withoutThread: Bool = false) -> Life.Body? {
    let body = withoutThread ? life.lose() : life.end()
    if body != nil { baton.end(withoutThread: withoutThread) }
    return body
  }
}
