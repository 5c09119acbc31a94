import CVirtualTime
import _EscapementCore

/// How a virtual-time scope behaves.
///
/// The defaults suit nearly every test. A simulation of years may need larger limits.
public struct VirtualTimeOptions: Sendable {
  /// The way in which time moves.
  public enum Mode: Sendable {
    /// Time jumps to the next deadline whenever all tasks of the scope are waiting.
    case automatic
    /// Time moves only when code in the scope calls a method of the handle, such as
    /// ``VirtualTime/advance(by:fileID:filePath:line:column:)``.
    case manual
  }

  /// The time that the standard clocks and `Date()` read inside the scope.
  public enum StandardClocks: Sendable {
    /// Virtual time, where the platform allows it: see ``VirtualTime/virtualizesStandardClocks``.
    case virtual
    /// Real time. A sleep takes real time, and virtual time stands during the sleep.
    case real
  }

  /// The time of dispatch queues, threads and event loops inside the scope.
  public enum QueuesAndThreads: Sendable {
    /// They belong to the scope, where the platform allows it: see
    /// ``VirtualTime/virtualizesQueuesAndThreads``.
    ///
    /// Tasks, blocks and threads of the scope run one at a time, and take turns where they wait.
    /// Event loops of SwiftNIO that are made in the scope are such threads.
    /// <doc:QueuesAndThreads> lists the functions in which they can wait.
    case virtual
    /// They run in real time, and the scope does not see them.
    case real
  }

  /// The treatment of leftover tasks when the body ends.
  public enum Leftovers: Sendable {
    /// The scope cancels them. Those that sleep in virtual time are listed in a warning, because
    /// they would go on by themselves. A task that waits for an event, such as the next element of
    /// a stream, does nothing until other code acts.
    case warn
    /// The scope cancels them and lists all of them in a failure.
    case fail
    /// The scope cancels them and reports nothing.
    case ignore
  }

  /// The way in which time moves.
  public var mode: Mode

  /// The instant at which the wall clock starts: a `Date`, or a `Duration` since
  /// 1970-01-01T00:00:00Z.
  ///
  /// The default is 2000-01-01T00:00:00Z. It may lie up to 9,223,372,036 seconds, 292 years, before
  /// or after 1970. From there the wall clock goes on as long as virtual time does, for 292 years
  /// more. The property reads as a `Duration`.
  public var wallClockStart: any WallClockInstant {
    get { wallClock }
    set { wallClock = newValue.durationSince1970 }
  }

  /// The start of the wall clock, as time since 1970-01-01T00:00:00Z.
  private(set) var wallClock: Duration

  /// The time that the standard clocks and `Date()` read inside the scope.
  public var standardClocks: StandardClocks

  /// The time of dispatch queues and threads inside the scope.
  ///
  /// The default is ``QueuesAndThreads/virtual``. They are real if
  /// ``standardClocks-swift.property`` are.
  public var queuesAndThreads: QueuesAndThreads

  /// Whether the scope has the threads that SwiftNIO shares in the process for itself: the event
  /// loops of `MultiThreadedEventLoopGroup.singleton`, and the thread pool
  /// `NIOThreadPool.singleton`.
  ///
  /// The default is `false`: these threads run in real time. A scope that uses the loops fails, and
  /// a scope that uses the pool warns. Scopes with this option run one after the other. Work that
  /// code outside gives to these threads meanwhile runs in the scope's time. A thread of the pool
  /// that has work outside when the scope begins joins it when that work has ended. The option has
  /// an effect if ``queuesAndThreads-swift.property`` are virtual.
  public var takesSharedEventLoops: Bool

  /// The treatment of leftover tasks when the body ends.
  public var leftovers: Leftovers

  /// How long, in real time, a scope without work waits to be resumed from outside.
  ///
  /// After that, the scope is considered stuck.
  public var stallLimit: Duration

  /// How long, in real time, a hold may last.
  ///
  /// It is also how long the scope waits for a task that runs on a thread which the scope does not
  /// drain, or waits for an actor that is busy there. And it is how long tasks may sleep in real
  /// time, one sleep after the other, while virtual time stands.
  public var holdLimit: Duration

  /// How many `hold { }` of tasks may be open at one time.
  ///
  /// With one more, the scope fails. A task that nests holds has several. The default is `nil`, any
  /// number; 0 allows no hold. Holds of doubles do not count.
  public var openHoldLimit: Int?

  /// How long, in real time, code of the scope may run without suspending.
  ///
  /// After that, the code is considered blocked: it waits for a semaphore, or it is in a loop that
  /// never suspends. Time in which its thread gets no processor does not count. Under Thread
  /// Sanitizer this limit and ``holdLimit`` are a hundred times as long, unless they are shorter
  /// than a second.
  public var blockLimit: Duration

  /// How many jobs may run at one instant before the scope is considered endless.
  ///
  /// The default is 1,000,000. A million tasks that wait take about 2.5 GB. While real work holds
  /// time, the limit is a hundred times as large.
  public var jobLimit: Int

  /// How many deadlines may pass before the scope is considered endless.
  ///
  /// The scope counts all deadlines since its beginning. Each call that moves time by hand counts
  /// as one more. A scope is also considered endless when a quarter of this number of its tasks,
  /// but at least 100,000, have not ended.
  public var eventLimit: Int

  /// After how much real time a scope that still advances says so in a line on standard error.
  ///
  /// The line says how far the scope has come, and which limit ends it: ``jobLimit`` or
  /// ``eventLimit``. It comes again whenever this time has doubled. No limit of real time ends a
  /// scope that advances, so that a test gives the same answer on a slow machine. The default is 5
  /// seconds.
  public var progressInterval: Duration

  /// The destination of the line.
  package var tellProgress: @Sendable (String) -> Void = Progress.tell

  /// Whether the scope records its timeline, which ``VirtualTime/timeline`` returns.
  ///
  /// The default is `false`. A scope that records takes up to twice the time. If the environment
  /// variable `ESCAPEMENT_TRACE` names a folder, all scopes record.
  public var recordsTimeline: Bool

  /// The recorder of the timeline, if the code that starts the scope wants to read it.
  ///
  /// That code also writes the trace of a test that has failed.
  package var recorder: TimelineRecorder?

  /// How far each reading of a standard clock, or of `Date()`, moves these clocks on.
  ///
  /// By default, code takes no time: two readings at one instant are equal. Code that breaks ties
  /// with `<`, or expects `elapsed > limit` after a sleep of just that limit, needs a tick. With
  /// one nanosecond, each reading of `ContinuousClock` or `DispatchTime` is later than the one
  /// before; `Date` needs a microsecond, since it is less exact. Sleeps and ``VirtualTime/now``
  /// stay exact: the clocks run ahead of the scope's time, by one tick for each reading. The option
  /// has an effect where the standard clocks are virtual. From zero to a second.
  public var clockTick: Duration

  /// How long a job may take while schedules are explored.
  ///
  /// By default, jobs take no time. With one second, a sleeper that is due within a second may wake
  /// before a job that is ready: a timeout overtakes a reply that has arrived, as in an app that is
  /// busy. So code may go on later than its sleep has ended, the body as well: do not compare exact
  /// times then. Time passes so only where it moves by itself. A schedule that was found with this
  /// option fails again with the same value.
  public var longestJob: Duration

  /// Whether `SystemRandomNumberGenerator` gives the same numbers in each run, while schedules are
  /// explored.
  ///
  /// Else a schedule may not lead to the same failure again, if the code under test draws numbers
  /// with `Int.random(in:)` or `shuffled()`. Outside of exploration, the numbers are always real.
  /// The default is `true`. It has an effect on Linux.
  public var repeatsRandomNumbers: Bool

  /// The run of an exploration that the scope is, if it is one.
  package var exploredRun: ExploredRun?

  /// Creates options; every parameter has a default, and is described at its property.
  public init(
    mode: Mode = .automatic,
    wallClockStart: any WallClockInstant = Duration.seconds(946_684_800),
    standardClocks: StandardClocks = .virtual,
    queuesAndThreads: QueuesAndThreads = .virtual,
    takesSharedEventLoops: Bool = false,
    leftovers: Leftovers = .warn,
    stallLimit: Duration = .seconds(1),
    holdLimit: Duration = .seconds(8),
    openHoldLimit: Int? = nil,
    blockLimit: Duration = .seconds(5),
    jobLimit: Int = 1_000_000,
    eventLimit: Int = 1_000_000,
    progressInterval: Duration = .seconds(5),
    recordsTimeline: Bool = false,
    clockTick: Duration = .zero,
    longestJob: Duration = .zero,
    repeatsRandomNumbers: Bool = true
  ) {
    self.mode = mode
    wallClock = wallClockStart.durationSince1970
    self.standardClocks = standardClocks
    self.queuesAndThreads = queuesAndThreads
    self.takesSharedEventLoops = takesSharedEventLoops
    self.leftovers = leftovers
    self.stallLimit = stallLimit
    self.holdLimit = holdLimit
    self.openHoldLimit = openHoldLimit
    self.blockLimit = blockLimit
    self.jobLimit = jobLimit
    self.eventLimit = eventLimit
    self.progressInterval = progressInterval
    self.recordsTimeline = recordsTimeline
    self.clockTick = clockTick
    self.longestJob = longestJob
    self.repeatsRandomNumbers = repeatsRandomNumbers
  }

  /// How many tasks that have not ended are too many.
  var taskLimit: Int { max(100_001, eventLimit / 4) }

  /// How many threads that wait are too many.
  var threadLimit: Int { max(2_000, eventLimit / 500) }

  /// The default options, except that time moves only by hand.
  public static var manual: VirtualTimeOptions { VirtualTimeOptions(mode: .manual) }

  /// Queues, threads and event loops are virtual, and so are the event loops and the thread pool
  /// that SwiftNIO shares in the process: see ``takesSharedEventLoops``.
  public static var sharedEventLoops: VirtualTimeOptions {
    VirtualTimeOptions(takesSharedEventLoops: true)
  }

  /// Throws if an option has an invalid value.
  func check() throws(VirtualTimeError) {
    func require(_ condition: Bool, _ option: String) throws(VirtualTimeError) {
      if !condition { throw .invalidOption(option) }
    }
    let farthest = Duration.seconds(9_223_372_036)
    try require(
      wallClock <= farthest && wallClock >= .zero - farthest,
      """
      wallClockStart: \(wallClock); use -9,223,372,036...9,223,372,036 seconds, which is up to \
      292 years before and after 1970
      """)
    try require(stallLimit >= .zero, "stallLimit must not be negative (got \(stallLimit))")
    try require(holdLimit >= .zero, "holdLimit must not be negative (got \(holdLimit))")
    try require(
      openHoldLimit ?? 0 >= 0,
      "openHoldLimit must not be negative (got \(openHoldLimit.map(String.init) ?? "nil"))")
    try require(blockLimit > .zero, "blockLimit must be positive (got \(blockLimit))")
    try require(
      clockTick >= .zero && clockTick <= .seconds(1),
      "clockTick must be between zero and a second (got \(clockTick))")
    try require(longestJob >= .zero, "longestJob must not be negative (got \(longestJob))")
    try require(
      progressInterval > .zero, "progressInterval must be positive (got \(progressInterval))")
    try require(jobLimit > 0, "jobLimit must be positive (got \(jobLimit))")
    try require(eventLimit > 0, "eventLimit must be positive (got \(eventLimit))")
  }
}

extension VirtualTimeOptions {
  /// The shortest time after which a scope with these options may have gone on for too long.
  var shortestLimit: Duration { min(stallLimit, holdLimit, blockLimit) }

  /// The options with longer limits, since code takes many times as long under Thread Sanitizer.
  var underThreadSanitizer: VirtualTimeOptions {
    func longer(_ limit: Duration) -> Duration {
      // Shorter ones are those of tests that reach them.
      limit < .seconds(1) ? limit : Saturating.product(limit, 100)
    }
    var options = self
    options.holdLimit = longer(holdLimit)
    options.blockLimit = longer(blockLimit)
    return options
  }
}
