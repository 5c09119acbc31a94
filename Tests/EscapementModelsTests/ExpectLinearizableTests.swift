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

  @Suite(.virtualStandardClocks) struct Rests {
    /// When two clients make their calls, which rest for a second before each.
    private let instants = Log<Duration>()

    private func play(_ time: VirtualTime) async {
      await expectLinearizable(
        Register(), clients: 2, each: 3, restingFor: .seconds(1), calls: { _ in .set(1) }
      ) { _, _ in
        instants.append(time.now.offset)
        return 7
      }
    }

    @Test func `are equally long where nothing is explored`() async throws {
      _ = try await issues { try await withVirtualTime { await play($0) } }
      #expect(instants.entries == [1, 1, 2, 2, 3, 3].map { .seconds($0) })
    }

    @Test func `are drawn where schedules are explored, and as usual in a small schedule`()
      async throws
    {
      let report = try await withExploration(20) { await play($0) }
      let drawn = instants.entries.filter { $0.components.attoseconds != 0 }
      #expect(Set(drawn).count > 1)
      #expect(drawn.allSatisfy { .zero < $0 && $0 < .seconds(6) })

      let failure = try #require(report.failure)
      let before = instants.entries.count
      _ = try await issues {
        try await withVirtualTime(order: .schedule("\(failure.schedule)")) { await play($0) }
      }
      let replayed = instants.entries[before...]
      #expect(replayed.count == 1 && replayed.allSatisfy { $0.components.attoseconds == 0 })
    }

    @Test func `may be longer than all time`() async throws {
      let reported = await issues {
        try? await withVirtualTime(order: .seed(1)) { _ in
          await expectLinearizable(
            Register(), restingFor: .seconds(Int64.max / 4), calls: { _ in .set(1) }
          ) { _, _ in 1 }
        }
      }
      #expect(reported.count == 1 && instants.entries.isEmpty)
    }
  }
}
