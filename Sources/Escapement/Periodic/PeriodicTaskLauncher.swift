/// Launches a task again and again, at a fixed interval, between `start()` and `stop()`.
///
/// Depend on the protocol, take a ``DefaultPeriodicTaskLauncher`` in the app, and hand in the
/// `FakePeriodicTaskLauncher` of EscapementTesting in a test that is not about time.
///
/// ```swift
/// launcher.every(.seconds(60)) { await model.refresh() }
/// launcher.start()
/// ```
public protocol PeriodicTaskLauncher: Sendable {
  /// Sets what is launched, and how often; replaces what was set before.
  ///
  /// Launches nothing yet. A launcher that is active goes on with the new task, and counts the
  /// interval from now.
  ///
  /// - Parameters:
  ///   - interval: The time from one tick to the next; the first tick is one interval after
  ///     `start()`. Must be positive.
  ///   - task: What is launched at each tick. A closure that is written on an actor runs there.
  func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable () async -> Void
  )

  /// Whether the launcher has been started and not stopped since.
  var isActive: Bool { get }

  /// Begins to launch; does nothing when active already, or when there is no task.
  func start()

  /// Ends launching; does nothing when not active.
  ///
  /// Once it has returned no task is launched any more. It may be called from inside the task.
  func stop()
}
