import EscapementModels
import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct ExpectLinearizableTests {
  @Test func `where nothing is explored, the same calls are made each time`() async throws {
    let calls = Log<String>()
    var runs: [[String]] = []
    for _ in 0..<2 {
      let before = calls.entries.count
      await expectLinearizable(Register(), clients: 2, each: 3, calls: Register.randomCall) {
        calls.append("\($1) \($0)")
        if case .set(let value) = $0 { return value }
        throw CancellationError()
      }
      runs.append(Array(calls.entries[before...]).sorted())
    }
    #expect(runs[0].count == 6)
    #expect(runs[0] == runs[1])
  }

  @Test(arguments: [(0, 5), (-1, 5), (3, 0), (3, -1)])
  func `without clients or calls nothing is tested, and the test fails`(
    clients: Int, count: Int
  ) async {
    let reported = await issues {
      await expectLinearizable(
        Register(), clients: clients, each: count, calls: Register.randomCall
      ) { _, _ in 0 }
    }
    #expect(
      reported.map(\.message) == ["There cannot be \(clients) clients with \(count) calls each."])
  }

  @Test func `a wrong object fails the test at the line of the call`() async throws {
    let reported = await issues {
      await expectLinearizable(Register(), calls: Register.randomCall) { _, _ in 7 }
    }
    #expect(reported.count == 1)
    #expect(reported.first?.message.hasPrefix("No order of these calls") == true)
  }

  @Test func `one set of calls is made in all orders`() async throws {
    let calls = Log<Set<String>>()
    let report = try await withExploration(1_000, ExplorationOptions(strategy: .exhaustive)) { _ in
      let (cell, made) = (Cell(0), Log<String>())
      await expectLinearizable(Register(), clients: 2, each: 2) { random in
        .set(.random(in: 1...9, using: &random))
      } perform: { call, client in
        if case .set(let value) = call { await cell.set(value) }
        made.append("\(client) \(call)")
        return await cell.value
      }
      calls.append(Set(made.entries))
    }
    let failure = try #require(report.failure, "\(report)")
    #expect(failure.messages.first?.contains("No order of these calls") == true)
    // The plain order makes no calls, and a small schedule few.
    #expect(calls.entries[0].isEmpty && calls.entries[1].count > 1)
  }
}
