public import EscapementClocks
import _EscapementCore

/// A periodic task launcher that waits with a clock.
///
/// The ticks are due at whole intervals after `start()`. They do not drift, however long the task
/// takes and however late the launcher wakes.
///
/// - `stop()` cancels the current run and does not wait for its end. After another `start()`, the
///   first run waits for that end, unless ``OverlappingRuns/allow`` is set.
/// - A launcher that is released stops.
/// - The runs have the priority of the task that called `start()`.
///
/// A launcher needs one task, which sleeps on the clock. A tick costs as much as one sleep.
public final class DefaultPeriodicTaskLauncher<C: Clock<Duration>>: PeriodicTaskLauncher {
  private let core: PeriodicCore<C>
  private let callSite: SourceLocation

  /// Creates a launcher without a task.
  ///
  /// - `clock`: The clock with which the launcher waits for the ticks of an interval.
  /// - `wallClock`: The clock with which the launcher waits for the runs of a schedule.
  /// - `missed`: Which ticks follow a run of the task that takes longer than the interval.
  /// - `overlap`: Whether a tick may start a run while another run has not ended. If its argument is
  ///   not valid, that is reported as an issue, and runs do not overlap.
  /// - `onEvent`: Called for each event of a run.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    clock: C = ContinuousClock(),
    wallClock: WallClock = WallClock(),
    missed: MissedTicks = .skip,
    overlap: OverlappingRuns = .forbid,
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    callSite = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let invalid = overlap.invalidArgument
    if let invalid {
      callSite.report(invalid, consequence: "The runs of this launcher do not overlap.")
    }
    core = PeriodicCore(
      clock: clock, wallClock: wallClock, missed: missed,
      overlap: invalid == nil ? overlap : .forbid, observer: EventObserver(onEvent))
  }

  deinit {
    core.stop()
  }

  /// Sets the task and its interval, in place of the previous ones.
  ///
  /// If the interval is not positive, the launcher reports an issue at the line that created it,
  /// and does not change.
  public func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable @isolated(any) () async -> Void
  ) {
    guard interval > .zero else {
      callSite.report(
        InvalidArgumentError("interval", interval, mustBe: "positive"),
        consequence: "This launcher ignores the task that was passed with the interval.")
      return
    }
    core.set(.interval(interval, task))
  }

  /// Sets the task and its schedule, in place of the previous ones.
  ///
  /// A policy for missed runs with an argument that is not valid is reported as an issue at the
  /// line that created the launcher. The launcher does not change then.
  public func on(
    _ schedule: Schedule,
    missed: MissedRuns,
    @_inheritActorContext launch task:
      @escaping @Sendable @isolated(any) (WallClock.Instant) async -> Void
  ) {
    if let invalid = missed.invalidArgument {
      callSite.report(
        invalid, consequence: "This launcher ignores the task that was passed with the schedule.")
      return
    }
    core.set(.schedule(schedule, missed, task))
  }

  /// Whether the launcher has been started, and has not been stopped since.
  public var isActive: Bool { core.isActive }

  /// Begins to launch.
  ///
  /// It does nothing if the launcher is active or has no task.
  public func start() { core.start() }

  /// Ends launching.
  ///
  /// It does nothing if the launcher is not active.
  public func stop() { core.stop() }

  /// Counts the interval from now: the next tick comes one interval after the call.
  ///
  /// It does nothing if the launcher is not active or its task has a schedule, and ends no run.
  public func restartInterval() { core.restartInterval() }
}

/// The task of a launcher.
private enum PeriodicJob: Sendable {
  case interval(Duration, @Sendable @isolated(any) () async -> Void)
  case schedule(
    Schedule, MissedRuns, @Sendable @isolated(any) (WallClock.Instant) async -> Void)
}

/// The part of a launcher that its loop retains, so that the loop does not retain the launcher.
private final class PeriodicCore<C: Clock<Duration>>: Sendable {
  typealias Machine = PeriodicStateMachine<PeriodicJob, Task<Void, Never>, C.Instant>

  private let clock: C
  private let wallClock: WallClock
  private let missed: MissedTicks
  private let overlap: OverlappingRuns
  private let observer: EventObserver
  private let state = Lock(Machine())

  init(
    clock: C, wallClock: WallClock, missed: MissedTicks, overlap: OverlappingRuns,
    observer: EventObserver
  ) {
    self.clock = clock
    self.wallClock = wallClock
    self.missed = missed
    self.overlap = overlap
    self.observer = observer
  }

  var isActive: Bool { state.withLock { $0.isActive } }

  func set(_ job: PeriodicJob) {
    // A clock may be user code, so the launcher reads it outside the lock. It does so before the
    // one event that changes the task, so that no other call can come between.
    let now = clock.now
    guard let (ended, begun) = state.withLock({ $0.set(job) }) else { return }
    ended?.cancel()
    begin(begun, at: now)
  }

  func start() {
    let now = clock.now
    guard let period = state.withLock({ $0.start() }) else { return }
    begin(period, at: now)
  }

  func restartInterval() {
    let now = clock.now
    state.withLock { $0.restartInterval(at: now) }
  }

  private func begin(_ period: Machine.Period, at now: C.Instant) {
    let loop = Task(name: "PeriodicTaskLauncher") { [self] in
      // A loop that has been stopped waits, too, because its successor waits only for this loop.
      if overlap != .allow { await period.predecessor?.value }
      await run(period, from: now)
    }
    state.withLock { $0.started(loop, of: period.id) }?.cancel()
  }

  func stop() {
    state.withLock { $0.stop() }?.cancel()
  }

  private func run(_ period: Machine.Period, from start: C.Instant) async {
    switch period.job {
    case .interval(let interval, let task):
      let loop = PeriodicLoop(clock: clock, interval: interval, missed: missed, overlap: overlap)
      try? await loop.run(from: start) { deadline in
        try await clock.sleep(until: deadline, tolerance: nil)
        try checkActive(period)
      } takeRestart: {
        state.withLock { $0.takeRestart(of: period.id) }
      } task: {
        try await self.launch(on: task.isolation, in: period, due: $0, task)
      }
    case .schedule(let schedule, let missed, let task):
      let loop = ScheduleLoop(
        schedule: schedule, missed: missed, overlap: overlap, clock: wallClock)
      try? await loop.run { deadline in
        try await wallClock.sleepUnlessCorrected(until: deadline)
        try checkActive(period)
      } task: { instant in
        try await self.launch(on: task.isolation, in: period, at: instant, task)
      }
    }
    state.withLock { $0.ended(period.id) }
  }

  /// Runs a task, unless the launcher was stopped while the actor of the task was busy.
  ///
  /// Nothing comes between the check and the run, because both are on this actor.
  private func launch(
    on isolation: isolated (any Actor)?, in period: Machine.Period, due: C.Instant,
    _ task: @Sendable @isolated(any) () async -> Void
  ) async throws {
    try checkActive(period)
    try await observer.perform(due: due, on: clock) { await task() }
  }

  private func launch(
    on isolation: isolated (any Actor)?, in period: Machine.Period, at instant: WallClock.Instant,
    _ task: @Sendable @isolated(any) (WallClock.Instant) async -> Void
  ) async throws {
    try checkActive(period)
    try await observer.perform(due: instant, on: wallClock) { await task(instant) }
  }

  private func checkActive(_ period: Machine.Period) throws {
    guard state.withLock({ $0.mayRun(period.id) }) else { throw CancellationError() }
  }
}
