import BenchmarkSupport
import EscapementVirtualTime

/// What a scope costs, with its beginning and its end; the mean of many.
struct ScopeCost: Codable {
  let microseconds: Double
  let processorMicroseconds: Double

  static func measure(_ series: ScopeSeries, count: Int) async throws -> ScopeCost {
    // Once on a small scale, so that what is set up once is not counted.
    try await series.run(scopes: 10 * series.lanes)
    return try await measure(count) { try await series.run(scopes: count) }
  }

  /// What a hundred sleeps of ten tasks cost in a long scope.
  static func measureHundredSleeps(count: Int) async throws -> ScopeCost {
    try await measure(count) {
      try await withVirtualTime(VirtualTimeOptions(eventLimit: .max)) { _ in
        try await tenTasks(sleeps: 10 * count)
      }
    }
  }

  private static func measure(
    _ count: Int, _ body: @concurrent () async throws -> Void
  ) async rethrows -> ScopeCost {
    let (start, processorStart) = (ContinuousClock.now, ProcessorTime.now)
    try await body()
    let (end, processorEnd) = (ContinuousClock.now, ProcessorTime.now)
    return ScopeCost(
      microseconds: start.duration(to: end).microseconds / Double(count),
      processorMicroseconds: (processorEnd - processorStart).microseconds / Double(count))
  }
}

extension ScopeSeries {
  /// Runs so many scopes in all.
  fileprivate func run(scopes count: Int) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<lanes {
        switch origin {
        case .pool: group.addTask { try await runInPool(count / lanes) }
        case .mainActor: group.addTask { try await runOnMainActor(count / lanes) }
        }
      }
      try await group.waitForAll()
    }
  }

  @concurrent private func runInPool(_ count: Int) async throws { try await runLane(count) }

  @MainActor private func runOnMainActor(_ count: Int) async throws { try await runLane(count) }

  private func runLane(_ count: Int, isolation: isolated (any Actor)? = #isolation) async throws {
    switch content {
    case .nothing:
      for _ in 0..<count { try await withVirtualTime { _ in } }
    case .tenByTen:
      for _ in 0..<count { try await withVirtualTime { _ in try await tenTasks(sleeps: 10) } }
    }
  }
}

/// Ten tasks, none of them on the main actor, that each sleep so many times.
private func tenTasks(sleeps: Int) async throws {
  let tasks = (0..<10).map { index in
    Task.detached {
      var durations = SleepDurations(ofTask: index)
      for _ in 0..<sleeps { try await Task.sleep(for: durations.next()) }
    }
  }
  for task in tasks { try await task.value }
}
