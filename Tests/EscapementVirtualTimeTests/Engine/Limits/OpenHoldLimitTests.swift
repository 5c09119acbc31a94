import EscapementVirtualTime
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct OpenHoldLimitTests {
  /// The message of the only issue of a scope whose body is cancelled.
  private func report(
    _ limit: Int, _ error: VirtualTimeError? = .limitReached,
    _ body: @escaping @Sendable @concurrent (VirtualTime) async throws -> Void
  ) async -> String {
    let options = VirtualTimeOptions(leftovers: .ignore, openHoldLimit: limit)
    let issues = await issues {
      if let error {
        await #expect(throws: error) { try await withVirtualTime(options, body) }
      } else {
        await #expect(throws: Never.self) { try await withVirtualTime(options, body) }
      }
    }
    #expect(issues.count == 1)
    return issues.first?.message ?? ""
  }

  @Test func `holds up to the limit are not reported`() async throws {
    try await withVirtualTime(VirtualTimeOptions(openHoldLimit: 2)) { time in
      for _ in 1...3 { await time.hold { await time.hold { await resumedByForeignThread() } } }
      await withTaskGroup { group in
        for _ in 1...2 { group.addTask { await time.hold { await resumedByForeignThread() } } }
      }
    }
  }

  @Test func `one hold more in a child task is reported, and the body cancelled`() async {
    let message = await report(1) { time in
      try await Task.sleep(for: .seconds(3))
      try await withThrowingTaskGroup { group in
        for name in ["first", "second"] {
          group.addTask(name: name) { try await time.hold { try await untilCancelled() } }
        }
        try await group.waitForAll()
      }
    }
    #expect(message.contains("is held at +3.0 seconds by too many holds: 2 were open"))
    #expect(message.contains("'openHoldLimit' is 1"))
    #expect(message.contains("“first”: 1") && message.contains("“second”: 1"))
    #expect(message.contains("raise 'openHoldLimit'"))
    #expect(message.contains("The body has been cancelled."))
  }

  @Test func `nested holds of one task count each`() async {
    let message = await report(1) { time in
      try await time.hold { try await time.hold { try await untilCancelled() } }
    }
    #expect(message.contains("  - the body: 2"))
  }

  @Test func `a hold that has ended before the report is named, and the body may have ended`() async
  {
    let message = await report(0, nil) { time in
      await Task(name: "quick") { await time.hold {} }.value
    }
    #expect(message.contains("1 were open") && message.contains("“quick”: 1"))
    let ended = await report(0, nil) { time in await time.hold {} }
    #expect(ended.contains("The body had ended before."))
  }

  @Test func `a hold that a task outside opens while the scope is parked is reported`() async {
    let message = await report(0) { time in
      outside { Task.detached(name: "outside") { await time.hold {} } }
      try await untilCancelled()
    }
    #expect(message.contains("“outside”: 1"))
  }

  @Test func `an exploration finds the order in which too many holds are open`() async throws {
    let options = VirtualTimeOptions(openHoldLimit: 1)
    let report = try await withExploration(1_000, options: options) { time in
      let gate = Log<Int>()
      async let other: Void = {
        await Task.yield()
        if gate.count == 1 { await time.hold { await Task.yield() } }
      }()
      await time.hold {
        gate.append(1)
        await Task.yield()
        await Task.yield()
        await Task.yield()
      }
      gate.append(2)
      await other
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.contains { $0.contains("too many holds: 2 were open") })
  }
}
