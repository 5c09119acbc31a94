import ArgumentParser
import BenchmarkSupport
import EscapementVirtualTime

@main struct ExplorationBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exploration",
    abstract: "Measures what a schedule costs, beside a plain run of the same scenario.",
    subcommands: [RacesBenchmark.self])

  @Option(help: "How many schedules are tried.")
  var schedules = 10_000

  @Option(help: "How many tasks the scenario has.")
  var tasks = 100

  @Option(help: "How many runs are under way at a time in the last row.")
  var concurrent = 4

  func run() async throws {
    let plain = try await measure {
      for _ in 0..<schedules { try await withVirtualTime { _ in try await scenario() } }
    }
    var report: ExplorationReport?
    let explored = try await measure {
      report = try await withExploration(schedules) { _ in try await scenario() }
    }
    let concurrently = try await measure {
      _ = try await withExploration(schedules, .init(concurrentRuns: concurrent)) { _ in
        try await scenario()
      }
    }
    guard let report, report.failure == nil else { throw ExitCode.failure }
    print(
      """
      \(schedules.grouped) runs of \(tasks) tasks, each of which calls an actor twice and sleeps once:
      plain     \(plain.formatted), \((plain / schedules).formatted) a run
      explored  \(explored.formatted), \((explored / schedules).formatted) a run
      \(concurrent) at once \(concurrently.formatted), \((concurrently / schedules).formatted) a run
      \(report.distinctTraces.grouped) schedules differ; \
      \((report.decisionPoints / report.schedulesTried).grouped) decision points a run
      """)
  }

  @concurrent private func scenario() async throws {
    let counter = Counter()
    try await withThrowingTaskGroup { group in
      for _ in 0..<tasks {
        group.addTask {
          await counter.add()
          try await Task.sleep(for: .seconds(1))
          await counter.add()
        }
      }
      try await group.waitForAll()
    }
  }

  private func measure(_ body: () async throws -> Void) async throws -> Duration {
    let start = ContinuousClock.now
    try await body()
    return .now - start
  }
}

private actor Counter {
  private var count = 0
  func add() { count += 1 }
}

extension ContinuousClock.Instant {
  fileprivate static func - (end: Self, start: Self) -> Duration { start.duration(to: end) }
}

extension Duration {
  fileprivate var formatted: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return seconds >= 1
      ? "\((seconds * 100).rounded() / 100) s" : "\((seconds * 1e6).rounded()) µs"
  }
}
