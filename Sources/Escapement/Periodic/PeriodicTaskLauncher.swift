/// Launches a task repeatedly, at a fixed interval, between `start()` and `stop()`.
///
/// Depend on this protocol. In the app, pass a ``DefaultPeriodicTaskLauncher``. In a test that is not
/// about time, pass the `FakePeriodicTaskLauncher` of EscapementDoubles.
///
/// ```swift
/// launcher.every(.seconds(60)) { await model.refresh() }
/// launcher.start()
/// ```
public protocol PeriodicTaskLauncher: Sendable {
  /// Sets the task and its interval, in place of the previous ones.
  ///
  /// The method does not start the launcher. A launcher that is active goes on with the new task, and
  /// counts the interval from now.
  ///
  /// - Parameters:
  ///   - interval: The time from one tick to the next. The first tick is one interval after
  ///     `start()`. The interval must be positive.
  ///   - task: The task to launch at each tick. A closure that is written on an actor runs there.
  func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable () async -> Void
  )

  /// Whether the launcher has been started, and has not been stopped since.
  var isActive: Bool { get }

  /// Begins to launch. It does nothing if the launcher is active or has no task.
  func start()

  /// Ends launching. It does nothing if the launcher is not active.
  ///
  /// After it has returned, the launcher launches no task. The task itself may call it.
  func stop()

  /// Counts the interval from now: the next tick comes one interval after the call.
  ///
  /// It does nothing if the launcher is not active. It ends no run, so the task itself may call it.
  /// The default implementation does nothing, so that the next tick comes as if it had not been
  /// called.
  func restartInterval()
}

extension PeriodicTaskLauncher {
  /// Does nothing, so that the next tick comes as if it had not been called.
  public func restartInterval() {}
}
