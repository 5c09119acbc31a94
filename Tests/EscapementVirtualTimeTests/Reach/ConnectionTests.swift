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

    @Test func `connections to what this process serves are not reported`() async throws {
      let outside = listeningSocket()
      let issues = try await issues {
        try await withVirtualTime(.reaching) { _ in
          let inside = listeningSocket()
          for listener in [outside, inside] {
            close(connectedSocket(to: listener.port))
          }
          close(inside.socket)
        }
      }
      close(outside.socket)
      #expect(issues.isEmpty)
    }
  }
#endif
