#if MockServer
  @testable import EscapementMockHTTP
  import _EscapementCore
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @testable import EscapementMockServer

  /// The holds on virtual time, without a connection.
  @Suite(.virtualTime(.init(stallLimit: .seconds(30)))) struct ServedRequestTests {
    private struct Server: HTTPStubbing {
      let stubs = HTTPStubTable(
        unmatched: .fail, verifiesAtEnd: false,
        at: _EscapementCore.SourceLocation(
          fileID: #fileID, filePath: #filePath, line: #line, column: #column))
    }

    private let server = Server()
    private let request = HTTPStub.Request(.get, URL(string: "http://127.0.0.1:1/")!)

    /// Waits for other threads so often that time would move if it could.
    private func waitOutside() async {
      for _ in 0..<50 {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume() }
        }
      }
    }

    @Test(.virtualStandardClocks)
    func `time stands from the end of the request until a stub has it`() async throws {
      let time = try #require(VirtualTime.current)
      server.stub(.get, "/") { _ in
        try await Task.sleep(for: .seconds(5))
        return .text("late")
      }
      let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
      let served = ServedRequest(request, server.stubs, time)
      await waitOutside()
      #expect(time.now.offset == .zero)
      served.start()
      var parts = served.parts.makeAsyncIterator()
      let part = await parts.next()
      #expect(part?.end == .keptOpen)
      #expect(time.now.offset == .seconds(5))
      try await sleeper.value
    }

    @Test(.virtualStandardClocks) func `time stands until what is sent has been written`()
      async throws
    {
      let time = try #require(VirtualTime.current)
      server.stub(.get, "/", returns: .text("answer"))
      let served = ServedRequest(request, server.stubs, time)
      served.start()
      let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
      await waitOutside()
      #expect(time.now.offset == .zero)
      do {
        var parts = served.parts.makeAsyncIterator()
        let part = await parts.next()
        await waitOutside()
        #expect(time.now.offset == .zero)
        part?.hold?.end()
      }
      try await sleeper.value
      #expect(time.now.offset == .seconds(1))
    }

    @Test func `a request that is cancelled before it is handed over ends its hold on time`()
      async throws
    {
      let time = try #require(VirtualTime.current)
      let served = ServedRequest(request, server.stubs, time)
      served.cancel(byClient: true)
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
      #expect(server.requests.isEmpty)
    }
  }
#endif
