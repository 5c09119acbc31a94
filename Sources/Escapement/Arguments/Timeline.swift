/// A clock without its type; instants are durations since the timeline was created.
struct Timeline: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  init<C: Clock<Duration>>(_ clock: C) {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { elapsed() }

  func sleep(until instant: Duration) async throws { try await sleep(instant) }
}
