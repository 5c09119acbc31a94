import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

/// Explorations that try all orders of a body.
@Suite(.virtualStandardClocks) struct AllOrdersTests {
  private static let exhaustive = ExplorationOptions(strategy: .exhaustive)

  /// The texts that tasks write, a letter at a time, and the report.
  private func texts(
    of words: [String], limit: Int = 10_000
  ) async throws -> (Set<String>, ExplorationReport) {
    let all = Lock(Set<String>())
    let report = try await withExploration(limit, Self.exhaustive) { _ in
      let text = Log<Character>()
      await withTaskGroup { tasks in
        for word in words {
          tasks.addTask {
            for letter in word {
              text.append(letter)
              await Task.yield()
            }
          }
        }
      }
      all.withLock { _ = $0.insert(String(text.entries)) }
    }
    return (all.withLock { $0 }, report)
  }

  /// All words with the letters of these words, in which each word keeps its order.
  private func merged(_ words: [Substring]) -> Set<String> {
    let rest = words.filter { !$0.isEmpty }
    guard !rest.isEmpty else { return [""] }
    return rest.indices.reduce(into: []) { all, index in
      var shorter = rest
      let first = shorter[index].removeFirst()
      all.formUnion(merged(shorter).map { String(first) + $0 })
    }
  }

  @Test(arguments: [["a"], ["a", "b"], ["ab", "cd"]])
  func `every order of tasks is tried`(words: [String]) async throws {
    let (texts, report) = try await texts(of: words)
    #expect(texts == merged(words.map { $0[...] }))
    #expect(report.areAllTried == true)
    #expect("\(report)".hasPrefix("No order fails; "), "\(report)")
    #expect(report.firstDifference == nil)
  }

  @Test func `of more orders than the limit, those with the fewest overtakings are tried`()
    async throws
  {
    let (_, report) = try await texts(of: ["abc", "def"], limit: 10)
    #expect(report.areAllTried == false)
    #expect(
      "\(report)".hasPrefix("No order fails; the plain order was tried, and 9 of "), "\(report)")
  }

  @Test func `a test that has more orders than the limit passes with a warning`() async throws {
    let reported = await issues {
      for limit in [2, 1_000] {
        try? await withVirtualTime(order: .all(upTo: limit)) { _ in
          await withTaskGroup { tasks in
            for _ in 0..<2 { tasks.addTask {} }
          }
        }
      }
    }
    #expect(reported.count == 1)
    let text = try #require(reported.first?.message)
    #expect(text.contains("than were to be tried: the plain order was tried, and 1 of 2 with"))
  }

  @Test func `an order that fails has the fewest overtakings of all that do`() async throws {
    struct Wrong: Error {}
    let body: @Sendable () async throws -> Void = {
      let log = Log<Int>()
      await withTaskGroup { tasks in
        for number in 0..<4 { tasks.addTask { log.append(number) } }
      }
      if log.entries == [3, 2, 1, 0] { throw Wrong() }
    }
    let report = try await withExploration(10_000, Self.exhaustive) { _ in try await body() }
    let failure = try #require(report.failure)
    #expect(failure.schedule.overtakings.count == 3, "\(failure)")
    #expect(failure.summary(of: report).hasPrefix("Order "))
    #expect(report.areAllTried == nil)
    await #expect(throws: Wrong.self) {
      try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
        try await body()
      }
    }
  }

  @Test func `what is drawn is the same in all orders`() async throws {
    let drawn = Log<Int>()
    let report = try await withExploration(100, Self.exhaustive) { _ in
      // The plain order comes first, in which nothing happens.
      drawn.append(draw(999, probability: 0.9) ?? -1)
      async let one: Void = {}()
      async let other: Void = {}()
      _ = await (one, other)
    }
    #expect(report.areAllTried == true)
    #expect(drawn.count > 3)
    #expect(drawn.entries[0] == 0)
    #expect(Set(drawn.entries.dropFirst()).count == 1 && drawn.entries[1] > 0)
  }

  /// Loses a signal that comes between the look at it and the wait.
  private final class Signal: Sendable {
    private let state = Lock((isGiven: false, waiter: CheckedContinuation<Void, Never>?.none))

    func wait() async {
      if state.withLock({ $0.isGiven }) { return }
      await Task.yield()
      await withCheckedContinuation { waiter in state.withLock { $0.waiter = waiter } }
    }

    func give() {
      let waiter = state.withLock { state in
        state.isGiven = true
        return state.waiter.take()
      }
      waiter?.resume()
    }
  }

  @Test func `an order in which a signal is lost is found`() async throws {
    let report = try await withExploration(
      1_000, Self.exhaustive,
      options: VirtualTimeOptions(leftovers: .ignore, stallLimit: .milliseconds(50))
    ) { _ in
      let signal = Signal()
      async let waiting: Void = signal.wait()
      async let giving: Void = signal.give()
      _ = await (waiting, giving)
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.first?.contains("stuck") == true, "\(failure)")
    #expect(failure.schedule.overtakings.count <= 1)
  }

  @Test func `work outside of the scope does not keep the search from its end`() async throws {
    let report = try await withExploration(10_000, Self.exhaustive) { time in
      async let held: Void = time.hold { await Task.detached {}.value }
      async let other: Void = {}()
      _ = await (held, other)
    }
    #expect(report.failure == nil)
    #expect(report.hasWorkOutside)
    #expect(report.areAllTried == true, "\(report)")
  }
}
