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
    case .allow: try await run(atMost: .max, nextTick: nextTick, task: task)
    case .atMost(let count): try await run(atMost: count, nextTick: nextTick, task: task)
    }
  }

  private func run<Tick: Sendable>(
    atMost limit: Int, nextTick: () async throws -> Tick?,
    task: @escaping @Sendable (Tick) async throws -> Void
  ) async throws {
    let finished = FinishedChildren()
    try await withThrowingTaskGroup(of: Void.self) { runs in
      var open = 0
      while let tick = try await self.nextTick(nextTick, or: &runs) {
        open -= try await finished.takeResults(of: &runs)
        runs.addTask { try await finished.run { try await task(tick) } }
        open += 1
        guard open == limit else { continue }
        try await finished.takeNext(of: &runs)
        open -= 1
      }
      try await runs.waitForAll()
    }
  }

  /// If there is no further tick because the wait has failed, as at a shutdown, the runs go on to
  /// their ends, unless this task is cancelled.
  private func nextTick<Tick>(
    _ nextTick: () async throws -> Tick?, or runs: inout ThrowingTaskGroup<Void, any Error>
  ) async throws -> Tick? {
    do {
      return try await nextTick()
    } catch {
      try await runs.waitForAll()
      throw error
    }
  }
}
