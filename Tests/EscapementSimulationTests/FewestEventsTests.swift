import EscapementSimulation
import EscapementVirtualTime
import TestSupport
import Testing

/// Failures that an order of tasks shows as well as a drawn event.
@Suite(.virtualStandardClocks) struct FewestEventsTests {
  private struct WrongOrder: Error {}

  /// Fails if tasks run in the opposite order, which takes two overtakings, or if an event is drawn.
  private static func play(_ runs: Log<(isReversed: Bool, isDrawn: Bool)>) async throws {
    let order = Log<Int>()
    await withTaskGroup { group in
      for number in 1...3 { group.addTask { order.append(number) } }
    }
    let isReversed = order.entries == [3, 2, 1]
    let isDrawn = Simulation.chance(0.5, "the disk fails")
    runs.append((isReversed, isDrawn))
    if isReversed || isDrawn { throw WrongOrder() }
  }

  @Test func `a failure that an order shows has no drawn event`() async throws {
    var count = 0
    for seed in 0..<60 as Range<UInt64> {
      let runs = Log<(isReversed: Bool, isDrawn: Bool)>()
      let report = try await withExploration(1, ExplorationOptions(firstSeed: seed)) { _ in
        try await Self.play(runs)
      }
      guard let failure = report.failure,
        let first = runs.entries.first(where: { $0.isDrawn || $0.isReversed })
      else { continue }
      guard first.isReversed, first.isDrawn else { continue }
      count += 1
      #expect(!failure.steps.contains { $0.contains("the disk fails") }, "\(failure)")
    }
    #expect(count > 0)
  }
}
