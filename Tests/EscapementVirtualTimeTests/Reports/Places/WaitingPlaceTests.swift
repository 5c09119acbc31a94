#if os(Linux)
  import TestSupport
  import Testing

  @testable import EscapementVirtualTime

  /// A type such as a user's.
  private actor TokenStore {
    static let lineOfSleep: UInt = #line + 4
    static let lineOfRefresh: UInt = #line + 7

    private func fetch() async throws {
      try await Task.sleep(for: .seconds(100))
    }

    func refresh() async throws {
      try await fetch()
      try await fetch()
    }

    func waitForEver() async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  /// What reports say of where tasks wait.
  @Suite(.virtualStandardClocks) struct WaitingPlaceTests {
    private let impatient = VirtualTimeOptions(stallLimit: .milliseconds(20))

    @Test(.withoutOptimisation)
    func `a task that is left over is shown with its calls, innermost first`() async throws {
      let reported = try await Symbols.$linesToFind.withValue(.max) {
        try await issues {
          try await withVirtualTime { time in
            let store = TokenStore()
            Task(name: "refresh") { try await store.refresh() }
            await time.settle()
          }
        }
      }
      let message = try #require(reported.first?.message)
      let calls = try #require(message.split(separator: "\n").first { $0.hasPrefix("    in ") })
      let (sleep, refresh) = (TokenStore.lineOfSleep, TokenStore.lineOfRefresh)
      #expect(
        calls.hasPrefix(
          """
              in TokenStore.fetch() WaitingPlaceTests.swift:\(sleep) <- \
          TokenStore.refresh() WaitingPlaceTests.swift:\(refresh) <- closure in
          """), "\(calls)")
    }

    @Test(.withoutOptimisation)
    func `a task that waits for something else is shown with its calls`() async throws {
      let issues = try await issues {
        try await withVirtualTime { time in
          let store = TokenStore()
          Task { await store.waitForEver() }
          await time.settle()
        }
      }
      let message = try #require(issues.first?.message)
      #expect(
        message.contains(
          """
          which waits for a continuation that has not been resumed
              in TokenStore.waitForEver()
          """), "\(message)")
    }

    @Test func `a stuck scope says where its body waits`() async throws {
      let issues = await issues {
        await #expect(throws: VirtualTimeError.limitReached) {
          try await withVirtualTime(impatient) { _ in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            defer { continuation.finish() }
            for await _ in stream {}
            try Task.checkCancellation()
          }
        }
      }
      let message = try #require(issues.first?.message)
      let sentence = try #require(
        message.split(separator: "\n").first { $0.hasPrefix("The body waits in ") })
      #expect(sentence.contains("a stuck scope says where its body waits"), "\(sentence)")
      #expect(!sentence.contains("swiftmacro"), "\(sentence)")
      #expect(!sentence.contains("WithVirtualTime.swift"), "\(sentence)")
    }

    @Test func `of many calls the innermost five are shown`() async throws {
      func descend(_ depth: Int) async throws {
        if depth == 0 { return try await Task.sleep(for: .seconds(1)) }
        try await descend(depth - 1)
      }
      let issues = try await issues {
        try await withVirtualTime { time in
          Task { try await descend(80) }
          await time.settle()
        }
      }
      let message = try #require(issues.first?.message)
      #expect(message.split(separator: " <- ").count == 6)
      #expect(message.contains(" <- …"))
    }

    @Test(.withoutOptimisation)
    func `only tasks that are listed are looked at, and each report is as good as the first`()
      async throws
    {
      for _ in 0..<2 {
        let issues = try await issues {
          try await withVirtualTime { time in
            let store = TokenStore()
            for _ in 0..<25 { Task { try await store.refresh() } }
            await time.settle()
          }
        }
        let message = try #require(issues.first?.message)
        #expect(message.components(of: "TokenStore.fetch()") == 10)
        #expect(message.contains("and 15 more"))
      }
    }
  }

  extension String {
    fileprivate func components(of part: String) -> Int { split(separator: part).count - 1 }
  }
#endif
