#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  @Suite(.virtualStandardClocks) struct ConnectionTests {
    @Test func `connections to what another process serves are reported once`() async throws {
      let (listener, port) = listeningSocket { listen_unseen($0) }
      let line = #line + 2
      let issues = try await issues {
        try await withVirtualTime(.reaching) { _ in
          try await Task.sleep(for: .seconds(2))
          for _ in 0..<3 { close(connectedSocket(to: port)) }
        }
      }
      close(listener)
      #expect(issues.count == 1)
      #expect(issues.first?.isWarning == true)
      #expect(issues.first?.line == line)
      #expect(
        issues.first?.message.contains("connected to 127.0.0.1:\(port) at +2.0 seconds") == true)
    }

    @Test func `connections inside a hold, and those that are refused, are not reported`()
      async throws
    {
      let listener = listeningSocket { listen_unseen($0) }
      let silent = listeningSocket { _ in 0 }
      let issues = try await issues {
        try await withVirtualTime(.reaching) { time in
          await time.hold { _ = close(connectedSocket(to: listener.port)) }
          #expect(connectedSocket(to: silent.port) == -1)
        }
      }
      close(listener.socket)
      close(silent.socket)
      #expect(issues.isEmpty)
    }

    @Test func `processes that are made beside a scope do not get its sockets`() async throws {
      try await withVirtualTime(.reaching) { _ in
        let server = listeningSocket()
        let client = connectedSocket(to: server.port)
        let files = [server.socket, client, accept(server.socket, nil, nil)]
        for file in files { #expect(fcntl(file, F_GETFD) == FD_CLOEXEC) }
        files.forEach { close($0) }
      }
    }

    @Test(arguments: [false, true])
    func `a port that the system has chosen stays the scope's until the scope ends`(
      hasServer: Bool
    ) async throws {
      let port = try await withVirtualTime(.reaching) { time in
        let server = listeningSocket { hasServer ? listen($0, 16) : 0 }
        close(server.socket)
        await time.hold { #expect(listeningSocket(at: server.port) == nil) }
        #expect(connectedSocket(to: server.port) == -1)

        let second = try #require(listeningSocket(at: server.port))
        let client = connectedSocket(to: server.port)
        #expect(client >= 0)
        #expect(listeningSocket(at: server.port) == nil)
        for file in [client, second] { close(file) }
        return server.port
      }
      close(try #require(listeningSocket(at: port)))
    }

    @Test func `a scope keeps the last 16 of its ports`() async throws {
      try await withVirtualTime(.reaching) { time in
        let ports = (0..<17).map { _ in
          let server = listeningSocket()
          close(server.socket)
          return server.port
        }
        await time.hold {
          #expect(listeningSocket(at: ports[1]) == nil)
          if let first = listeningSocket(at: ports[0]) { close(first) }
        }
      }
    }

    @Test func `a new socket has another number than those that were closed last`() async throws {
      try await withVirtualTime(.reaching) { _ in
        var closed: Set<Int32> = []
        for _ in 0..<5 {
          var pair: [Int32] = [0, 0]
          socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
          let server = listeningSocket()
          let files = pair + [server.socket]
          #expect(closed.isDisjoint(with: files))
          for file in files { close(file) }
          closed.formUnion(files)
        }
      }
    }

    @Test func `connections to a server of the scope are not reported`() async throws {
      let issues = try await issues {
        try await withVirtualTime(.reaching) { _ in
          let server = listeningSocket()
          close(connectedSocket(to: server.port))
          close(server.socket)
        }
      }
      #expect(issues.isEmpty)
    }

    @Test(arguments: [false, true])
    func `connections to a server that was started outside the scope are reported once`(
      isOfAnotherScope: Bool
    ) async throws {
      let server =
        isOfAnotherScope
        ? try await withVirtualTime(.reaching) { _ in listeningSocket() } : listeningSocket()
      let issues = try await issues {
        try await withVirtualTime(.reaching) { _ in
          try await Task.sleep(for: .seconds(2))
          for _ in 0..<3 { close(connectedSocket(to: server.port)) }
        }
      }
      close(server.socket)
      #expect(issues.map(\.isWarning) == [true])
      let message = issues.first?.message ?? ""
      #expect(message.contains("to 127.0.0.1:\(server.port) at +2.0 seconds, whose server"))
      #expect(message.contains("Start the server inside the scope"))
    }

    @Test func `connections to a server outside are not reported in a hold, or without a scope`()
      async throws
    {
      let server = listeningSocket()
      let issues = try await issues {
        close(connectedSocket(to: server.port))
        try await withVirtualTime(.reaching) { time in
          await time.hold { _ = close(connectedSocket(to: server.port)) }
        }
      }
      close(server.socket)
      #expect(issues.isEmpty)
    }
  }
#endif
