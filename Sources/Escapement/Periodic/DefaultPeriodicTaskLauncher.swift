public import EscapementClocks
import _EscapementCore

/// A periodic task launcher that waits with a clock.
///
/// The ticks are due at whole intervals after `start()`. They do not drift, however long the task
/// takes and however late the launcher wakes.
///
/// - `stop()` cancels the current run and does not wait for its end. After another `start()`, the first
///   run waits for that end, unless overlapping runs are allowed.
/// - A launcher that is released stops.
/// - The runs have the priority of the task that called `start()`.
///
/// A launcher needs one task, which sleeps on the clock. A tick costs as much as one sleep.
public final class DefaultPeriodicTaskLauncher<C: Clock<Duration>>: PeriodicTaskLauncher {
  private let core: PeriodicCore<C>
  private let callSite: SourceLocation

  /// Creates a launcher without a task.
  ///
  /// - `clock`: The clock with which the launcher waits.
  /// - `missed`: Which ticks follow a run of the task that takes longer than the interval.
  /// - `overlap`: Whether a tick may start a run while another run has not ended.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
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

  /// Sets the task and its interval, in place of the previous ones.
  ///
  /// If the interval is not positive, the launcher reports an issue at the line that created it, and
  /// does not change.
  public func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable () async -> Void
  ) {
    guard interval > .zero else {
      callSite.report(
        InvalidArgumentError("interval", interval, mustBe: "positive"),
        consequence: "This launcher ignores the task that was passed with the interval.")
      return
    }
    core.set(interval, task)
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
  /// It does nothing if the launcher is not active, and ends no run.
  public func restartInterval() { core.restartInterval() }
}

/// The part of a launcher that its loop retains, so that the loop does not retain the launcher.
private final class PeriodicCore<C: Clock<Duration>>: Sendable {
  typealias Job = (interval: Duration, task: @Sendable () async -> Void)
  typealias Machine = PeriodicStateMachine<Job, Task<Void, Never>, C.Instant>

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
    // A clock may be user code, so the launcher reads it outside the lock. It does so before the one
    // event that changes the task, so that no other call can come between.
    let now = clock.now
    guard let (ended, begun) = state.withLock({ $0.set((interval, task)) }) else { return }
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
    } takeRestart: {
      state.withLock { $0.takeRestart(of: period.id) }
    } task: {
      await period.job.task()
    }
    state.withLock { $0.ended(period.id) }
  }
}
