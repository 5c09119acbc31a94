import EscapementTesting
import TestSupport
import Testing

private struct Misordered: Error {}

@Suite(.virtualStandardClocks) struct ConcurrentRunsTests {
  /// Six tasks come to an actor, and fail in few of their orders.
  private static func run() async throws {
    let (visitors, order) = (Visitors(), Log<Int>())
    await withTaskGroup { group in
      for number in 1...6 { group.addTask { await visitors.visit(number, order) } }
    }
    let entries = order.entries
    if entries.starts(with: [4, 2]), entries[5] == 3 { throw Misordered() }
  }

  private actor Visitors {
    func visit(_ number: Int, _ order: Log<Int>) { order.append(number) }
  }

  /// The result of a search.
  private struct Result: Equatable {
    let failure: [String]
    let counts: [Int?]

    init(_ report: ExplorationReport) {
      failure = [report.failure?.schedule.description ?? ""] + (report.failure?.steps ?? [])
      counts =
        [report.failure?.number, report.failure?.shrinkAttempts, report.schedulesTried]
        + [report.schedulesFailed, report.distinctTraces, report.decisionPoints]
    }
  }

  @Test(arguments: [ExplorationStrategy.byTurns, .newPairsFirst, .uniform], [true, false])
  func `a search finds the same, however many runs are under way at a time`(
    strategy: ExplorationStrategy, stopsAtFirstFailure: Bool
  ) async throws {
    var results: [Result] = []
    for count in [1, 2, 5] {
      let report = try await withExploration(
        300,
        .init(
          strategy: strategy, stopsAtFirstFailure: stopsAtFirstFailure, concurrentRuns: count)
      ) { _ in try await Self.run() }
      #expect(report.failure?.messages == ["Misordered()"])
      results.append(Result(report))
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
    let number = try #require(results[0].counts[0])
    #expect(number > 20, "The first failure is in a later batch.")
  }

  @Test func `runs are under way at the same time`() async throws {
    let (began, met) = (Log<Void>(), Log<Void>())
    let report = try await withExploration(20, .init(concurrentRuns: 2)) { time in
      began.append(())
      // The plain order comes first, and the first seed twice.
      guard began.count > 3 else { return }
      await time.hold { await began.wait(for: 5) }
      met.append(())
    }
    #expect(report.failure == nil, "\(report)")
    #expect(met.count == 20)
  }

  @Test(arguments: [0, -1, .min]) func `at least one run is under way`(count: Int) {
    var options = ExplorationOptions(concurrentRuns: count)
    #expect(options.concurrentRuns == 1)
    options.concurrentRuns = count
    #expect(options.concurrentRuns == 1)
  }
}
