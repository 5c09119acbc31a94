import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

@Suite struct ExecutionScheduleShrinkingTests {
  private func noise(_ seed: UInt64, decisions: Int) -> [ExecutionSchedule.Overtaking] {
    var generator = SplitMix64(seed: seed)
    return (0..<decisions).compactMap { decision in
      generator.next() % 3 == 0
        ? nil : .init(decision: decision, kind: .runs(Int(generator.next() % 4) + 1))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `what a failure needs is kept, and the rest is removed`(seed: UInt64) async throws {
    let needed: [ExecutionSchedule.Overtaking] = [
      .init(decision: 11, kind: .runs(2)), .init(decision: 40, kind: .runs(1)),
    ]
    let start = ExecutionSchedule(needed + noise(seed, decisions: 80))
    let (smallest, attempts) = await start.shrunk(decisions: 80, budget: 10_000) { schedule in
      needed.allSatisfy(schedule.overtakings.contains)
    }
    #expect(smallest == ExecutionSchedule(needed))
    #expect(attempts < 2_000)
  }

  @Test func `a task that waits replaces many choices`() async throws {
    let start = ExecutionSchedule((3..<20).map { .init(decision: $0, kind: .runs(1)) })
    let (smallest, _) = await start.shrunk(decisions: 30, budget: 1_000) { schedule in
      schedule.overtakings.contains(.init(decision: 3, kind: .firstWaits))
        || schedule.overtakings.count { (3..<20).contains($0.decision) } > 5
    }
    #expect(smallest.description == "3")
  }

  @Test(arguments: [1, 2, 37, 4096, 9_999])
  func `a place becomes the lowest that fails`(lowest: Int) async throws {
    let start = ExecutionSchedule([.init(decision: 5, kind: .runs(10_000))])
    let (smallest, attempts) = await start.shrunk(decisions: 30, budget: 1_000) { schedule in
      guard case .runs(let place) = schedule.overtakings.first?.kind else { return false }
      return place >= lowest
    }
    #expect(smallest == ExecutionSchedule([.init(decision: 5, kind: .runs(lowest))]))
    #expect(attempts < 50)
  }

  @Test(arguments: [1, 3, 8])
  func `without what an overtaking brought about, those after it come earlier`(
    distance: Int
  ) async {
    // Each of the first three decisions leads to `distance` more decisions before the last two.
    let extra = [0, 1, 2].map { ExecutionSchedule.Overtaking(decision: $0, kind: .runs(1)) }
    func schedule(_ count: Int) -> ExecutionSchedule {
      let end = [40, 46].map {
        ExecutionSchedule.Overtaking(decision: $0 - (3 - count) * distance, kind: .firstWaits)
      }
      return ExecutionSchedule(extra.suffix(count) + end)
    }
    let failing = (1...3).map(schedule)
    let (smallest, _) = await schedule(3).shrunk(decisions: 60, budget: 500) {
      failing.contains($0)
    }
    #expect(smallest == schedule(1))
  }

  @Test func `a failure of the plain order needs no overtaking`() async throws {
    let (smallest, attempts) = await ExecutionSchedule(noise(1, decisions: 20))
      .shrunk(decisions: 20, budget: 100) { _ in true }
    #expect(smallest == .plain)
    #expect(attempts == 1)
  }

  @Test(arguments: [0, 1, 7])
  func `the budget limits the attempts`(budget: Int) async throws {
    let calls = Log<ExecutionSchedule>()
    let start = ExecutionSchedule(noise(2, decisions: 50))
    let (smallest, attempts) = await start.shrunk(decisions: 50, budget: budget) { schedule in
      calls.append(schedule)
      return false
    }
    #expect(smallest == start)
    #expect(attempts == budget)
    #expect(Set(calls.entries).count == calls.count)
  }

  @Test(arguments: [(decisions: 2_500, attempts: 2_000), (20_000, 250)])
  func `a long run is tried less often`(decisions: Int, attempts: Int) async throws {
    let start = ExecutionSchedule((0..<300).map { .init(decision: $0, kind: .runs(1)) })
    let search = await start.shrunk(decisions: decisions, budget: 2_000) { _ in false }
    #expect(search.attempts == attempts)
  }

  @Test func `an error ends the search`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await ExecutionSchedule(noise(3, decisions: 9)).shrunk(decisions: 9, budget: 9) { _ in
        throw Failure()
      }
    }
  }
}
