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
  ///   - task: The task to run at each tick, which gets the instant at which the tick was due.
  func run(
    from start: C.Instant,
    waitingWith wait: (C.Instant) async throws -> Void,
    takeRestart: () -> C.Instant? = { nil },
    task: @escaping @Sendable (C.Instant) async throws -> Void
  ) async throws {
    var ticks: TickSchedule<C.Instant>?
    try await overlap.run { () -> C.Instant? in
      var asked = ticks == nil ? start : clock.now
      var next = ticks ?? self.ticks(from: start)
      var restart = takeRestart()
      repeat {
        if let restart { (next, asked) = (self.ticks(from: restart), restart) }
        try await wait(next.nextDeadline)
        restart = takeRestart()
      } while restart != nil
      let due = next.nextDeadline
      next.tick(asked: asked, delivered: clock.now)
      ticks = next
      return due
    } task: {
      try await task($0)
    }
  }

  private func ticks(from start: C.Instant) -> TickSchedule<C.Instant> {
    TickSchedule(start: start, interval: min(interval, .horizon), missed: missed)
  }
}
