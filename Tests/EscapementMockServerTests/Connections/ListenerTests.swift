#if MockServer
  import EscapementMockHTTP
  import EscapementTesting
  import FlyingSocks
  import Foundation
  import TestSupport
  import Testing

  @testable import EscapementMockServer

  @Suite struct ListenerTests {
    @Test func `the delay of attempts doubles up to a second, and starts anew after a connection`()
    {
      var shortage = Shortage()
      let delays = (0..<10).map { _ in shortage.next().delay }
      #expect(delays.first == .milliseconds(5))
      #expect(delays[7] == .milliseconds(640))
      #expect(delays[8...] == [.seconds(1), .seconds(1)])
      shortage.end()
      #expect(shortage.next().delay == .milliseconds(5))
    }

    @Test func `only the first shortage of a server is reported`() {
      var shortage = Shortage()
      let reported = (0..<3).map { _ in
        defer { shortage.end() }
        return shortage.next().isFirst
      }
      #expect(reported == [true, false, false])
    }

    @Test func `a server accepts connections again after the process had too many open files`()
      async throws
    {
      let issues = try await issues {
        try await withDoubles {
          let pauses = Log<Duration>()
          let attempts = Log<Void>()
          let server = try ListeningServer(
            pause: { pauses.append($0) },
            accept: { socket in
              attempts.append(())
              guard attempts.count > 3 else {
                throw SocketError.failed(
                  type: "Accept", errno: EMFILE, message: "Too many open files")
              }
              return try await socket.acceptClient()
            })
          server.stub(.get, "/", returns: .text("up"))
          let client = try RawClient(server.url)
          try client.send("GET / HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n")
          #expect(await client.receiveAll().text.hasSuffix("up"))
          #expect(pauses.entries == [.milliseconds(5), .milliseconds(10), .milliseconds(20)])
          try client.close()
          await server.stop()
        }
      }
      #expect(issues.count == 1)
      #expect(
        issues.first?.message.contains("cannot accept connections for now: Too many open files")
          == true)
    }

    #if canImport(Glibc)
      /// In a process of its own, whose table of files is full for the call that accepts a connection, and no
      /// longer: Dispatch opens a file each second to watch its threads, and ends a process in which it cannot.
      @Test(.takingTurns) func `a server goes on after the system had no file for a connection`()
        async
      {
        await #expect(processExitsWith: .success) {
          let issues = try await issues {
            try await withDoubles {
              try OpenFiles.limit(toMore: 32)
              let clients = Log<Void>()
              let attempts = Log<Void>()
              let errors = Log<Int32>()
              let server = try ListeningServer(
                pause: { _ in },
                accept: { socket in
                  attempts.append(())
                  guard attempts.count < 3 else { return try await socket.acceptClient() }
                  await clients.wait(for: 1)
                  do {
                    _ = try OpenFiles.filled { try socket.socket.accept() }
                  } catch SocketError.failed(let type, let code, let message) {
                    errors.append(code)
                    throw SocketError.failed(type: type, errno: code, message: message)
                  }
                  throw CancellationError()
                })
              server.stub(.get, "/", returns: .text("up"))
              for _ in 0..<2 {
                let client = try RawClient(server.url)
                clients.append(())
                try client.send("GET / HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n")
                #expect(await client.receiveAll().text.hasSuffix("up"))
                try client.close()
              }
              #expect(errors.entries == [EMFILE, EMFILE])
              await server.stop()
            }
          }
          #expect(issues.count == 1)
          #expect(
            issues.first?.message.contains("cannot accept connections for now: Too many open files")
              == true)
        }
      }
    #endif
  }
#endif
