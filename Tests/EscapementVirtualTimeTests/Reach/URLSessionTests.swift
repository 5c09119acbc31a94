#if os(Linux)
  import EscapementVirtualTime
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing
  import _EscapementCore

  // `URL_SESSIONS=1 swift test --filter URLSessionTests`. All sessions of a process share a queue, so that sessions of
  // other tests disturb these: a cancelled request has ended 45 ms late beside them.
  @Suite(
    .virtualStandardClocks,
    .enabled(if: ProcessInfo.processInfo.environment["URL_SESSIONS"] != nil))
  struct URLSessionTests {
    @Test func `an answer comes after the time that the server takes`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let (server, session) = (HTTPServer(), URLSession(configuration: .ephemeral))
        for seconds in [9, 0, 50] {
          let (data, _) = try await session.data(from: server.url("/after/\(seconds)"))
          log.mark(String(decoding: data, as: UTF8.self))
        }
        session.invalidateAndCancel()
        await server.stop()
      }
      #expect(log == ["after 9@9000", "after 0@9000", "after 50@59000"])
    }

    @Test func `a request times out a millisecond before its timeout`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let server = HTTPServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        let session = URLSession(configuration: configuration)
        await ticking {
          let error = await #expect(throws: URLError.self) {
            _ = try await session.data(from: server.url("/never"))
          }
          log.mark("\(error?.code == .timedOut)")
        }
        session.invalidateAndCancel()
        await server.stop()
      }
      #expect(log == ["true@9999"])
    }

    @Test func `parallel requests end at their instants`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let (server, session) = (HTTPServer(), URLSession(configuration: .ephemeral))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for seconds in [3, 1, 2, 1] {
            group.addTask {
              let (data, _) = try await session.data(from: server.url("/after/\(seconds)"))
              log.mark(String(decoding: data, as: UTF8.self))
            }
          }
          try await group.waitForAll()
        }
        session.invalidateAndCancel()
        await server.stop()
      }
      #expect(log == ["after 1@1000", "after 1@1000", "after 2@2000", "after 3@3000"])
    }

    @Test func `a redirection is followed at once`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let (server, session) = (HTTPServer(), URLSession(configuration: .ephemeral))
        let (data, response) = try await session.data(from: server.url("/redirect/2"))
        log.mark("\(String(decoding: data, as: UTF8.self)) \(response.url?.path ?? "")")
        session.invalidateAndCancel()
        await server.stop()
      }
      #expect(log == ["after 2 /after/2@2000"])
    }

    @Test func `a cancelled request ends at the instant of the cancellation`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let (server, session) = (HTTPServer(), URLSession(configuration: .ephemeral))
        await ticking {
          let request = Task {
            do {
              _ = try await session.data(from: server.url("/after/5"))
              log.mark("answer")
            } catch {
              log.mark("\((error as? URLError)?.code == .cancelled)")
            }
          }
          try? await Task.sleep(for: .seconds(3))
          request.cancel()
          await request.value
        }
        session.invalidateAndCancel()
        await server.stop()
      }
      #expect(log == ["true@3000"])
    }

    @Test(.disabled("Beside many busy processes, an answer in a later scope has come late."))
    func `a session serves one scope after the other`() async throws {
      let session = URLSession(configuration: .ephemeral)
      for _ in 0..<20 {
        let log = Log<String>()
        try await withVirtualTime(.reaching) { _ in
          let server = HTTPServer()
          await ticking {
            let requests = [1, 2, 4].map { seconds in
              Task {
                let answer = try? await session.data(from: server.url("/after/\(seconds)"))
                log.mark("\(seconds) \(answer != nil)")
              }
            }
            try? await Task.sleep(for: .seconds(3))
            requests[2].cancel()
            for request in requests { await request.value }
          }
          await server.stop()
        }
        #expect(log.entries == ["1 true@1000", "2 true@2000", "4 false@3000"])
      }
      session.invalidateAndCancel()
    }
  }

  /// Sleeps again and again, and so would take time along if it could be moved wrongly.
  private func ticking(_ body: () async throws -> Void) async rethrows {
    let ticker = Task {
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(7)) }
    }
    defer { ticker.cancel() }
    try await body()
  }
#endif
