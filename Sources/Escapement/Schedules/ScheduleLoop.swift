import _EscapementCore

/// Runs a task on a schedule until a sleep or a run throws, or the schedule ends.
struct ScheduleLoop: Sendable {
  let schedule: Schedule
  let missed: MissedRuns
  let overlap: OverlappingRuns
  let clock: WallClock
  var lastRun: WallClock.Instant?
  var runsAtStart = false

  /// Runs the task.
  ///
  /// - Parameters:
  ///   - wait: Suspends until an instant, or until the clock was corrected; or throws to end the
  ///     loop. It is also called before a run that is due.
  ///   - task: The task, which gets the instant of its run.
  func run(
    waitingWith wait: (WallClock.Instant) async throws -> Void,
    task: @escaping @Sendable (WallClock.Instant) async throws -> Void
  ) async throws {
    var machine = ScheduleStateMachine(
      schedule: schedule, missed: missed, start: clock.now, lastRun: lastRun,
      runsAtStart: runsAtStart)
    try await overlap.run {
      while true {
        switch machine.next(now: clock.now) {
        case .wait(let deadline):
          try await wait(deadline)
        case .run(let instant):
          try await wait(min(instant, clock.now))
          return instant
        case .finished:
          return nil
        }
      }
    } task: {
      try await task($0)
    }
  }
}
