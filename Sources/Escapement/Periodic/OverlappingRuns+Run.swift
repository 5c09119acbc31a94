import _EscapementCore

extension OverlappingRuns {
  /// Runs a task at each tick, until there is no further tick, or a tick or a run throws.
  ///
  /// - Parameters:
  ///   - nextTick: Suspends until the next tick, or returns `nil` if there is none.
  ///   - task: The task to run at each tick.
  func run<Tick: Sendable>(
    nextTick: () async throws -> Tick?,
    task: @escaping @Sendable (Tick) async throws -> Void
  ) async throws {
    switch self {
    case .forbid:
      while let tick = try await nextTick() { try await task(tick) }
    case .allow:
      let finished = FinishedChildren()
      try await withThrowingTaskGroup(of: Void.self) { runs in
        while let tick = try await nextTick() {
          try await finished.takeResults(of: &runs)
          runs.addTask { try await finished.run { try await task(tick) } }
        }
        try await runs.waitForAll()
      }
    }
  }
}
