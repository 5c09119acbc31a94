public import EscapementClocks
import _EscapementCore

/// A periodic task launcher that waits with a clock.
///
/// The ticks are due at whole intervals after `start()`; they do not drift, however long the task
/// takes and however late the launcher is woken.
///
/// - `stop()` cancels the run that is under way and does not wait for it. When the launcher is
///   started again, the first run waits for that one, unless overlapping runs are allowed.
/// - A launcher that is released stops.
/// - It launches with the priority of the task that called `start()`.
///
/// One launcher costs one task, asleep in its clock: a tick is as expensive as one sleep.
public final class DefaultPeriodicTaskLauncher<C: Clock<Duration>>: PeriodicTaskLauncher {
  private let core: PeriodicCore<C>
  private let callSite: SourceLocation

  /// Creates a launcher without a task.
  ///
  /// - Parameters:
  ///   - clock: The clock that the launcher waits with.
  ///   - missed: What follows a run of the task that takes longer than the interval.
  ///   - overlap: Whether a tick may start a run while another one is under way.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where an issue is reported.
  ///   - column: The caller's column.
  public init(
    clock: C = ContinuousClock(),
    missed: MissedTicks = .skip,
    overlap: OverlappingRuns = .forbid,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    core = PeriodicCore(clock: clock, missed: missed, overlap: overlap)
    callSite = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  deinit {
    core.stop()
  }

  /// Sets what is launched, and how often; replaces what was set before.
  ///
  /// An interval that is not positive is reported as an issue at the line that created the
  /// launcher, and leaves the launcher as it was.
  public func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable () async -> Void
  ) {
    guard interval > .zero else {
      callSite.report(
        InvalidArgumentError("interval", interval, mustBe: "positive"),
        consequence: "This launcher ignores the task that was to be launched at this interval.")
      return
    }
    core.set(interval, task)
  }

  /// Whether the launcher has been started and not stopped since.
  public var isActive: Bool { core.isActive }

  /// Begins to launch; does nothing when active already, or when there is no task.
  public func start() { core.start() }

  /// Ends launching; does nothing when not active.
  public func stop() { core.stop() }
}

/// What the loop of a launcher holds on to, so that it does not keep the launcher alive.
private final class PeriodicCore<C: Clock<Duration>>: Sendable {
  typealias Job = (interval: Duration, task: @Sendable () async -> Void)
  typealias Machine = PeriodicStateMachine<Job, Task<Void, Never>>

  private let clock: C
  private let missed: MissedTicks
  private let overlap: OverlappingRuns
  private let state = Lock(Machine())

  init(clock: C, missed: MissedTicks, overlap: OverlappingRuns) {
    self.clock = clock
    self.missed = missed
    self.overlap = overlap
  }

  var isActive: Bool { state.withLock { $0.isActive } }

  func set(_ interval: Duration, _ task: @escaping @Sendable () async -> Void) {
    guard state.withLock({ $0.set((interval, task)) }) else { return }
    stop()
    start()
  }

  func start() {
    let now = clock.now
    guard let period = state.withLock({ $0.start() }) else { return }
    let loop = Task(name: "PeriodicTaskLauncher") { [self] in
      // Also a loop that has been stopped meanwhile waits, since its successor waits for it only.
      if overlap == .forbid { await period.predecessor?.value }
      await run(period, from: now)
    }
    state.withLock { $0.started(loop, of: period.id) }?.cancel()
  }

  func stop() {
    state.withLock { $0.stop() }?.cancel()
  }

  private func run(_ period: Machine.Period, from start: C.Instant) async {
    let loop = PeriodicLoop(
      clock: clock, interval: period.job.interval, missed: missed, overlap: overlap)
    try? await loop.run(from: start) { deadline in
      try await clock.sleep(until: deadline, tolerance: nil)
      guard state.withLock({ $0.mayRun(period.id) }) else { throw CancellationError() }
    } task: {
      await period.job.task()
    }
    state.withLock { $0.ended(period.id) }
  }
}
