/// The model of swift-clocks' README: an unstructured task on the main actor counts seconds.
@MainActor package final class TimerModel {
  package private(set) var count = 0
  private let sleep: nonisolated(nonsending) @Sendable (Duration) async throws -> Void
  private var task: Task<Void, any Error>?

  package init(
    sleep: nonisolated(nonsending) @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.sleep = sleep
  }

  package convenience init(clock: some Clock<Duration>) {
    self.init { try await clock.sleep(for: $0) }
  }

  package func start() {
    task = Task {
      while true {
        try await sleep(.seconds(1))
        count += 1
      }
    }
  }

  package func stop() {
    task?.cancel()
    task = nil
  }
}

extension TimerModel {
  /// The test of that README: one second, one tick; four more, five ticks.
  ///
  /// - Returns: What was wrong.
  package func complaints(
    advance: nonisolated(nonsending) (Duration) async throws -> Void
  ) async rethrows -> [String] {
    var expectations = Expectations()
    start()
    try await advance(.seconds(1))
    expectations.expect(count, is: 1, "count after 1 s")
    try await advance(.seconds(4))
    expectations.expect(count, is: 5, "count after 5 s")
    stop()
    return expectations.complaints
  }
}
