import EscapementClocks
import _EscapementCore

/// Runs a task at each tick until a sleep or a run throws.
struct PeriodicLoop<C: Clock<Duration>>: Sendable {
  let clock: C
  let interval: Duration
  let missed: MissedTicks
  let overlap: OverlappingRuns
  let observer: EventObserver

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
    var ticks: TickSchedule<C.Instant>?
    try await overlap.run { () -> Duration? in
      var asked = ticks == nil ? start : clock.now
      var next = ticks ?? self.ticks(from: start)
      var restart = takeRestart()
      repeat {
        if let restart { (next, asked) = (self.ticks(from: restart), restart) }
        try await wait(next.nextDeadline)
        restart = takeRestart()
      } while restart != nil
      let now = clock.now
      let lateness = next.nextDeadline.duration(to: now)
      next.tick(asked: asked, delivered: now)
      ticks = next
      return lateness
    } task: { lateness in
      observer.tell(.late(lateness))
      try await observer.perform(task)
    }
  }

  private func ticks(from start: C.Instant) -> TickSchedule<C.Instant> {
    TickSchedule(start: start, interval: min(interval, .horizon), missed: missed)
  }
}
