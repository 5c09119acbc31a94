import EscapementClocks
import _EscapementCore

/// Runs a task at each tick until a sleep or a run throws.
struct PeriodicLoop<C: Clock<Duration>>: Sendable {
  let clock: C
  let interval: Duration
  let missed: MissedTicks
  let overlap: OverlappingRuns

  /// Runs the task until `wait` or the task throws.
  ///
  /// - Parameters:
  ///   - start: The instant from which the ticks are counted.
  ///   - wait: Suspends until the deadline of a tick, or throws to end the loop.
  ///   - takeRestart: The instant from which the ticks count anew, if there is one since the last
  ///     call.
  ///   - task: The task to run at each tick.
  func run(
    from start: C.Instant,
    waitingWith wait: (C.Instant) async throws -> Void,
    takeRestart: () -> C.Instant? = { nil },
    task: @escaping @Sendable () async throws -> Void
  ) async throws {
    var ticks = self.ticks(from: start)
    var asked = start
    func tick() async throws {
      var restart = takeRestart()
      repeat {
        if let restart { (ticks, asked) = (self.ticks(from: restart), restart) }
        try await wait(ticks.nextDeadline)
        restart = takeRestart()
      } while restart != nil
      ticks.tick(asked: asked, delivered: clock.now)
    }
    switch overlap {
    case .forbid:
      while true {
        try await tick()
        try await task()
        asked = clock.now
      }
    case .allow:
      let finished = FinishedChildren()
      try await withThrowingTaskGroup(of: Void.self) { runs in
        while true {
          try await tick()
          try await finished.takeResults(of: &runs)
          runs.addTask { try await finished.run(task) }
          asked = clock.now
        }
      }
    }
  }

  private func ticks(from start: C.Instant) -> TickSchedule<C.Instant> {
    TickSchedule(start: start, interval: min(interval, .horizon), missed: missed)
  }
}
