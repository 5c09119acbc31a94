import EscapementVirtualTime
import TestSupport
import Testing

private actor Counter {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

@Suite(.virtualStandardClocks) struct SameOrderTests {
  /// A program that mixes main-actor, actor and pool tasks; returns what happened, in order.
  private func run() async throws -> [String] {
    let log = Log<String>()
    try await withVirtualTime { time in
      let counters = [Counter(), Counter()]
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task { @MainActor in for await number in stream { log.note("received \(number)") } }
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            try? await Task.sleep(for: .milliseconds(number * 7 % 5))
            let turn = await counters[number % 2].next()
            log.note("turn \(turn) of \(number)")
            await MainActor.run { log.note("main \(number)") }
            continuation.yield(number)
            Task.detached { log.note("detached \(number)") }
            Task { @MainActor in log.note("task on main \(number)") }
          }
        }
      }
      continuation.finish()
      await time.settle()
    }
    return log.entries
  }

  @Test func `the same program gives the same order in a thousand runs, four side by side`()
    async throws
  {
    let orders = try await withThrowingTaskGroup(of: Set<[String]>.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var orders: Set<[String]> = []
          for _ in 0..<250 { orders.insert(try await run()) }
          return orders
        }
      }
      return try await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(orders.count == 1)
    #expect(orders.first?.count == 40)
  }
}
