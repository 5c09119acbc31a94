public import Escapement
public import Foundation
import _EscapementCore

/// A periodic task launcher that waits with a timer in a run loop.
///
/// Take it in the place of `DefaultPeriodicTaskLauncher` where the launches have to keep to the mode
/// of a run loop, or to other timers in it.
///
/// - A tick that comes while a run is under way is skipped.
/// - `stop()` cancels the run that is under way and does not wait for it.
/// - A launcher that is released stops.
/// - Use it on the thread of its run loop, as its timer requires.
public final class TimerTaskLauncher: PeriodicTaskLauncher {
  private let core: TimerTasks
  private let location: SourceLocation

  /// Creates a launcher without a task.
  ///
  /// - Parameters:
  ///   - scheduler: What the timer is added to.
  ///   - mode: The mode of the run loop in which tasks may be launched.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where issues are reported.
  ///   - column: The caller's column.
  public init(
    scheduler: any TimerScheduler = RunLoop.main, mode: RunLoop.Mode = .common,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    core = TimerTasks(scheduler, mode)
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  deinit { core.stop() }

  /// Sets what is launched, and how often; replaces what was set before.
  ///
  /// An interval that is not positive is reported as an issue at the line that created the
  /// launcher, and leaves the launcher as it was.
  public func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable () async -> Void
  ) {
    guard interval > .zero else {
      let refusal = InvalidArgumentError("interval", interval, mustBe: "positive")
      location.reportIssue(
        "\(refusal) This launcher ignores the task that was to be launched at this interval.")
      return
    }
    core.set(interval, task)
  }

  /// Whether the launcher has been started and not stopped since.
  public var isActive: Bool { core.isActive }

  /// Adds a timer; does nothing when active already, or when there is no task.
  public func start() { core.start() }

  /// Invalidates the timer; does nothing when not active.
  public func stop() { core.stop() }
}

/// What the timer of a launcher holds on to, so that it does not keep the launcher alive.
private final class TimerTasks: @unchecked Sendable {
  // Sendable because the scheduler is only asked to add timers, on the thread of its user.
  typealias Job = (interval: Duration, task: @Sendable () async -> Void)

  private struct State {
    var machine = TimerLauncherState<Job>()
    var timer: Timer?
    var run: Task<Void, Never>?
  }

  private let scheduler: any TimerScheduler
  private let mode: RunLoop.Mode
  private let state = Lock(State())

  init(_ scheduler: any TimerScheduler, _ mode: RunLoop.Mode) {
    self.scheduler = scheduler
    self.mode = mode
  }

  var isActive: Bool { state.withLock { $0.machine.isActive } }

  func set(_ interval: Duration, _ task: @escaping @Sendable () async -> Void) {
    guard state.withLock({ $0.machine.set((interval, task)) }) else { return }
    stop()
    start()
  }

  func start() {
    guard let (period, job) = state.withLock({ $0.machine.start() }) else { return }
    let timer = Timer(after: TimeInterval(job.interval), repeats: true) { [weak self] _ in
      self?.tick(period)
    }
    state.withLock { $0.timer = timer }
    scheduler.add(timer, forMode: mode)
  }

  func stop() {
    let (timer, run) = state.withLock { state in
      state.machine.stop() ? (state.timer.take(), state.run) : (nil, nil)
    }
    timer?.invalidate()
    run?.cancel()
  }

  private func tick(_ period: Int) {
    guard let job = state.withLock({ $0.machine.tick(period) }) else { return }
    let run = Task(name: "TimerTaskLauncher") {
      await job.task()
      state.withLock {
        $0.machine.ended()
        $0.run = nil
      }
    }
    state.withLock { if $0.machine.isRunning { $0.run = run } }
  }
}
