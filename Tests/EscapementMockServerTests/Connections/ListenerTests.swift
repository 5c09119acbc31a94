#if MockServer
  import EscapementMockHTTP
  import EscapementTesting
  import FlyingSocks
  import Foundation
  import TestSupport
  import Testing

  @testable import EscapementMockServer

  @Suite struct ListenerTests {
    @Test func `the delay of attempts doubles up to a second, and starts anew after a connection`() {
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
      async
    {
      // The limit applies to a process, so the test has a process of its own.
      await #expect(processExitsWith: .success) {
        let issues = try await issues {
          try await withDoubles {
            let pauses = Log<Duration>()
            let server = try ListeningServer { delay in
              pauses.append(delay)
              try await Task.sleep(for: delay)
            }
            server.stub(.get, "/", returns: .text("up"))
            let client = try RawClient()
            let files = try OpenFiles()
            try client.connect(to: server.url)
            try client.send("GET / HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n")
            await pauses.wait(for: 2)
            files.close()
            #expect(await client.receiveAll().text.hasSuffix("up"))
            await server.stop()
          }
        }
        #expect(issues.count == 1)
        #expect(
          issues.first?.message.contains("cannot accept connections for now: Too many open files")
            == true)
      }
    }
  }

  /// All files that the process may still open.
  private struct OpenFiles {
    private let files: [Int32]

    init() throws {
      var limit = rlimit()
      getrlimit(openFiles, &limit)
      limit.rlim_cur = min(limit.rlim_cur, 256)
      try #require(setrlimit(openFiles, &limit) == 0)
      var files: [Int32] = []
      while case let file = open("/dev/null", O_RDONLY), file >= 0 { files.append(file) }
      self.files = files
    }

    func close() { for file in files { _ = Foundation.close(file) } }
  }

  #if canImport(Glibc)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private let openFiles = RLIMIT_NOFILE
  #endif
#endif
