#if os(Linux)
  import CEventFiles
  import CVirtualTime
  import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @Suite struct SimulatedNetworkTests {
    @Test func `a scope has one network`() async throws {
      try await withVirtualTime { _ in
        _ = try SimulatedNetwork()
        #expect(throws: SimulatedNetworkError.scopeHasNetwork) { try SimulatedNetwork() }
      }
      try await withVirtualTime { _ in _ = try SimulatedNetwork() }
    }

    @Test func `outside of scopes there is none`() {
      #expect(throws: SimulatedNetworkError.noScope) { try SimulatedNetwork() }
    }

    @Test func `a scope whose queues and threads are real has none, and the error says so`()
      async throws
    {
      try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .real)) { _ in
        let error = #expect(throws: SimulatedNetworkError.queuesAndThreadsAreReal) {
          try SimulatedNetwork()
        }
        #expect(error?.description.contains("queuesAndThreads: .real") == true)
      }
    }

    // Under Thread Sanitizer, tests that are under way at once need files.
    @Test(.withoutThreadSanitizer)
    func `a process that has no file left has none, and the error says so`() async {
      await #expect(processExitsWith: .success) {
        try await withVirtualTime { _ in
          var limit = rlimit(rlim_cur: 0, rlim_max: 0)
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          let error = #expect(throws: SimulatedNetworkError.noSockets) { try SimulatedNetwork() }
          #expect(error?.description.contains("two files") == true)
        }
      }
    }

    @Test func `scopes at once have networks of their own`() async throws {
      try await withThrowingTaskGroup(of: [Duration].self) { group in
        for number in 1...8 {
          group.addTask {
            try await withVirtualTime { _ in
              let network = try SimulatedNetwork()
              network.links.latency = .milliseconds(number)
              network.host("server").run { try echo(port: 8080) }
              return try await network.host("client").perform {
                try elapsed { (_) throws -> Void in _ = try Socket.connect(to: "server", 8080) }
              }
            }
          }
        }
        let times = try await group.reduce(into: [], +=).sorted()
        #expect(times == (1...8).map { .milliseconds(2 * $0) })
      }
    }

    @Test func `the services of hosts end with the scope, and are not left over`() async throws {
      let ended = Log<String>()
      let reported = try await issues {
        try await withVirtualTime { _ in
          let network = try SimulatedNetwork()
          network.host("server").run {
            defer { ended.append("ended") }
            try await Task.sleep(for: .seconds(3600))
          }
          // Nobody resumes it, and it does not hear that it is cancelled.
          network.host("deaf").run {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          }
          try await Task.sleep(for: .seconds(1))
        }
      }
      #expect(reported.isEmpty)
      #expect(ended.entries == ["ended"])
    }

    @Test func `a service that throws fails the test`() async throws {
      let reported = try await issues {
        try await withVirtualTime { _ in
          let network = try SimulatedNetwork()
          network.host("server").run { throw CocoaError(.fileNoSuchFile) }
          try await Task.sleep(for: .seconds(1))
        }
      }
      #expect(reported.count == 1)
      #expect(reported.first?.message.contains("The service of host 'server' has ended") == true)
    }

    @Test func `code of no host that connects to a host is told so`() async throws {
      let reported = try await issues {
        try await withVirtualTime { _ in
          let network = try SimulatedNetwork()
          let host = network.host("server")
          host.run { try echo(port: 8080) }
          #expect(throws: Errno(ENETUNREACH)) { try Socket.connect(to: "server", 8080) }
          #expect(throws: Errno(ENETUNREACH)) { try Socket.connect(to: host.address, 8080) }
          try await Task.sleep(for: .seconds(1))
        }
      }
      #expect(reported.count == 1)
      #expect(reported.first?.message.contains("port 8080 of host 'server'") == true)
      #expect(reported.first?.message.contains("host.perform") == true)
    }

    @Test func `a report says that a host is suspended`() async throws {
      let reported = await issues {
        try? await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { _ in
          let host = try SimulatedNetwork().host("host")
          async let result: Void = host.perform {
            try await Task.sleep(for: .seconds(10), clock: .suspending)
          }
          try await Task.sleep(for: .seconds(1))
          host.suspend()
          try await result
        }
      }
      let message = try #require(reported.first?.message)
      #expect(message.contains("its host, which is paused or suspended"), "\(message)")
    }

    /// Whose event loop it is.
    enum Owner: CaseIterable { case body, other, host }

    @Test(arguments: Owner.allCases) func `a host that uses an event loop of others is told so`(
      owner: Owner
    ) async throws {
      let reported = try await issues {
        try await withVirtualTime { _ in
          let network = try SimulatedNetwork()
          let (host, other) = (network.host("host"), network.host("other"))
          let maker: SimulatedHost? =
            switch owner {
            case .body: nil
            case .other: other
            case .host: host
            }
          let loop = maker?.performNow { make_eventfd(false) } ?? make_eventfd(false)
          for _ in 0..<2 { host.performNow { write_eventfd(loop, 1) } }
          // What is of no host may use all.
          write_eventfd(loop, 1)
          try await Task.sleep(for: .seconds(1))
          close(loop)
        }
      }
      #expect(reported.count == (owner == .host ? 0 : 1))
      for report in reported {
        #expect(report.message.contains("has used an event loop at +0.0 seconds"))
        #expect(report.message.contains("Make event loops in 'host.run { }'"))
      }
    }

    @Test func `a network leaves no sockets`() async throws {
      /// Which relays have their names at the server, of those with these numbers.
      func relays(of scope: UInt32) throws -> [Int] {
        try (1...4).filter { number in
          let socket = try Socket.make(AF_UNIX)
          defer { socket.close() }
          return !socket.bindAbstractly(to: "escapement-\(number)-\(scope)-\(getpid())")
        }
      }
      let scope = try await withVirtualTime { _ in
        let network = try SimulatedNetwork()
        let listener = try network.host("a").performNow { try Socket.listen(port: 8080) }
        let sockets = try await network.host("b").perform {
          let sockets = try (0..<3).map { _ in try Socket.connect(to: "a", 8080) }
          return sockets + (0..<3).compactMap { _ in listener.accept() }
        }
        #expect(try relays(of: cvt_thread_number()) == [1, 2, 3])
        for socket in sockets + [listener] { socket.close() }
        return cvt_thread_number()
      }
      #expect(try relays(of: scope) == [])
    }

    @Test func `threads that wait for clients go on when the network ends`() async throws {
      let (goesOn, hasGoneOn) = AsyncStream<Void>.makeStream()
      try await withVirtualTime { _ in
        let network = try SimulatedNetwork()
        try network.host("server").performNow {
          let listener = try Socket.listen(port: 8080)
          Thread.detachNewThread {
            #expect(listener.accept() == nil)
            listener.close()
            hasGoneOn.finish()
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
      for await _ in goesOn {}
    }

    @Test func `a socket that does not block listens on when the network ends`() async throws {
      let sockets = Log<Socket>()
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("server")
        sockets.append(
          try host.performNow {
            let socket = try Socket.make(isBlocking: false)
            #expect(listen(socket.file, 16) == 0)
            return socket
          })
      }
      let socket = sockets.entries[0]
      #expect(!socket.awaitInput(milliseconds: 0))
      socket.close()
    }

    @Test func `a host does nothing in another scope, whose hosts have the same numbers`()
      async throws
    {
      let made = Log<SimulatedHost>()
      try await withVirtualTime { _ in made.append(try SimulatedNetwork().host("host")) }
      let host = made.entries[0]
      #expect(host.address == "10.0.0.1")
      try await withVirtualTime { _ in
        let network = try SimulatedNetwork()
        let other = network.host("other")
        host.crash()
        host.pause()
        #expect(!other.hasCrashed && !other.isPaused)
        host.clockOffset = .seconds(1)
        #expect(other.clockOffset == .zero)
        network.setName("other", to: host)
        network.setLink(between: host, and: other, LinkQuality(latency: .seconds(1)))
        network.cut(host, other)
        #expect(network.links.latency == .zero)
        #expect(try await other.perform { other.isCurrent })
      }
    }

    @Test func `a test that uses a host of another scope, or makes none, is told so`()
      async throws
    {
      let made = Log<SimulatedHost>()
      try await withVirtualTime { _ in made.append(try SimulatedNetwork().host("host")) }
      let host = made.entries[0]
      let reported = try await issues {
        try await withVirtualTime { time in
          let network = try SimulatedNetwork()
          _ = network.host("other")
          host.run { Issue.record("It has run.") }
          host.performNow { #expect(!host.isCurrent) }
          await #expect(throws: SimulatedNetworkError.hostOfOtherScope) {
            try await host.perform {}
          }
          await time.hold { _ = network.host("one in a hold") }
        }
      }
      let messages = reported.map(\.message)
      #expect(messages.count == 3)
      #expect(messages.prefix(2).allSatisfy { $0.contains("the scope has ended") }, "\(messages)")
      #expect(messages.last?.contains("not in 'hold { }'") == true, "\(messages)")
    }

    @Test func `sources of files in other scopes go on`() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for hasNetwork in [true, false] {
          group.addTask {
            try await withVirtualTime { _ in
              if hasNetwork { _ = try SimulatedNetwork() }
              var ends: [Int32] = [0, 0]
              pipe(&ends)
              let source = DispatchSource.makeWriteSource(fileDescriptor: ends[1])
              await withCheckedContinuation { continuation in
                source.setEventHandler {
                  source.cancel()
                  continuation.resume()
                }
                source.activate()
              }
              for end in ends { close(end) }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
