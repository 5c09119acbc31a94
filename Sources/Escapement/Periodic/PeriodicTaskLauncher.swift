/// Launches a task repeatedly, at an interval or on a schedule, between `start()` and `stop()`.
///
/// Depend on this protocol. In the app, pass a ``DefaultPeriodicTaskLauncher``. In a test that is
/// not about time, pass the `FakePeriodicTaskLauncher` of EscapementDoubles.
///
/// ```swift
/// launcher.every(.seconds(60)) { await model.refresh() }
/// launcher.start()
/// ```
public protocol PeriodicTaskLauncher: Sendable {
  /// Sets the task and its interval, in place of the previous ones.
  ///
  /// The method does not start the launcher. A launcher that is active goes on with the new task,
  /// and counts the interval from now.
  ///
  /// - Parameters:
  ///   - interval: The time from one tick to the next. The first tick is one interval after
  ///     `start()`. The interval must be positive.
  ///   - task: The task to launch at each tick. A closure that is written on an actor runs there.
  func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable @isolated(any) () async -> Void
  )

  /// Sets the task and its schedule, in place of the previous ones.
  ///
  /// The method does not start the launcher. A launcher that is active goes on with the new task.
  ///
  /// - Parameters:
  ///   - schedule: The instants at which to launch the task. After the last one the launcher stops.
  ///   - missed: What happens to runs that could not begin in time.
  ///   - task: The task, which gets the instant of its run. A closure that is written on an actor
  ///     runs there.
  func on(
    _ schedule: Schedule,
    missed: MissedRuns,
    @_inheritActorContext launch task:
      @escaping @Sendable @isolated(any) (WallClock.Instant) async -> Void
  )

  /// Whether the launcher has been started, and has not been stopped since.
  var isActive: Bool { get }

  /// Begins to launch. It does nothing if the launcher is active or has no task.
  func start()

  /// Ends launching. It does nothing if the launcher is not active.
  ///
  /// If it is called on the actor of the task, no run begins after it has returned. If the task has
  /// no actor, or the call is made elsewhere, a run whose tick has come may begin on another thread
  /// at this moment; it is cancelled. The task itself may call the method.
  func stop()

  /// Counts the interval from now: the next tick comes one interval after the call.
  ///
  /// It does nothing if the launcher is not active or its task has a schedule. It ends no run, so
  /// the task itself may call it. The default implementation does nothing, so that the next tick
  /// comes as if it had not been called.
  func restartInterval()
}

extension PeriodicTaskLauncher {
  /// Does nothing, so that the next tick comes as if it had not been called.
  public func restartInterval() {}
}

extension PeriodicTaskLauncher {
  /// Sets the task and its schedule, in place of the previous ones.
  ///
  /// ```swift
  /// launcher.on(try .cron("0 3 * * 1-5", in: berlin)) { _ in await store.removeExpired() }
  /// ```
  ///
  /// When runs could not begin in time, one run takes the place of all of them
  /// (``MissedRuns/runOnce``).
  ///
  /// - Parameters:
  ///   - schedule: The instants at which to launch the task. After the last one the launcher stops.
  ///   - task: The task, which gets the instant of its run. A closure that is written on an actor
  ///     runs there.
  public func on(
    _ schedule: Schedule,
    @_inheritActorContext launch task:
      @escaping @Sendable @isolated(any) (WallClock.Instant) async -> Void
  ) {
    on(schedule, missed: .runOnce, launch: task)
  }
}
