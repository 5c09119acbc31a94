#if MockServer && os(Linux)
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  /// `URLSession.shared`, which each scope has for itself.
  struct SharedSessionTests {
    private static let ofGlobal = URLSession.shared

    @Test func `a scope has one shared session`() async throws {
      let outside = URLSession.shared
      try await withVirtualTime { _ in
        let session = URLSession.shared
        #expect(session !== outside)
        #expect(session === URLSession.shared)
        await Task.detached { #expect(session === URLSession.shared) }.value
      }
      #expect(URLSession.shared === outside)
    }

    @Test func `two scopes have two shared sessions`() async throws {
      let first = try await withVirtualTime { _ in URLSession.shared }
      let second = try await withVirtualTime { _ in URLSession.shared }
      #expect(first !== second)
    }

    @Test func `a global keeps the session of the process`() async throws {
      let global = try await withVirtualTime { _ in Self.ofGlobal }
      #expect(global === URLSession.shared)
    }

    @Test func `with real queues, the session is that of the process`() async throws {
      let session = try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .real)) { _ in
        URLSession.shared
      }
      #expect(session === URLSession.shared)
    }

    @Test func `the session has the configuration of that of the process`() async throws {
      let outside = URLSession.shared.configuration
      try await withVirtualTime { _ in
        let configuration = URLSession.shared.configuration
        #expect(configuration.httpCookieStorage === outside.httpCookieStorage)
        #expect(configuration.urlCache === outside.urlCache)
        #expect(configuration.timeoutIntervalForRequest == outside.timeoutIntervalForRequest)
      }
    }

    @Test func `the session ends with its scope`() async throws {
      weak var session: URLSession?
      try await withVirtualTime { _ in
        let shared = URLSession.shared
        session = shared
        try await withMockServer { server in
          server.stub(.get, "/", returns: .text("hello"))
          let loaded = try await shared.load("/", from: server)
          #expect(loaded.text == "hello")
        }
      }
      // Foundation lets it go on a queue of its own.
      try await eventually { session == nil }
    }

    @Test func `shared sessions of scopes and of the outside do not disturb each other`()
      async throws
    {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<10 { try await loadsSlowly() }
          }
        }
        group.addTask {
          try await withMockServer { server in
            server.stub(.get, "/", returns: .text("outside"))
            for _ in 0..<50 {
              let loaded = try await URLSession.shared.load("/", from: server)
              #expect(loaded.text == "outside")
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test func `a session that two scopes use is reported in both`() async throws {
      let session = URLSession(configuration: .default)
      let (isLoading, isDone) = (Log<Void>(), Log<Void>())
      let issues = try await issues {
        async let second: Void = {
          await isLoading.wait(for: 1)
          try await withVirtualTime { _ in
            try await withMockServer { server in
              server.stub(.get, "/", returns: .text("quick"))
              let quick = try await session.load("/", from: server)
              #expect(quick.text == "quick")
            }
          }
          isDone.append(())
        }()
        try await withVirtualTime { time in
          try await withMockServer { server in
            server.stub(.get, "/", returns: .text("slow").delayed(by: .seconds(3)))
            let slow = Task { try await session.load("/", from: server) }
            try await Task.sleep(for: .seconds(1))
            await time.hold {
              isLoading.append(())
              await isDone.wait(for: 1)
            }
            let loaded = try await slow.value
            #expect(loaded.text == "slow")
          }
        }
        try await second
      }
      // The requests share connections, so one scope may also be told of the server of the other.
      let reports = issues.filter { $0.message.contains("has used a URLSession") }
      #expect(reports.count == 2)
    }

    private func loadsSlowly() async throws {
      try await withVirtualTime { time in
        try await withMockServer { server in
          server.stub(.get, "/", returns: .text("slow").delayed(by: .seconds(3)))
          for count in 1...3 {
            let loaded = try await URLSession.shared.load("/", from: server)
            #expect(loaded.text == "slow")
            #expect(time.now.offset == .seconds(3 * count))
          }
        }
      }
    }
  }
#endif
