#if MockServer
  @testable import EscapementMockHTTP
  import _EscapementCore
  import EscapementTesting
  import Foundation
  import Testing

  @testable import EscapementMockServer

  /// When virtual time stands for a request, played without a connection.
  @Suite(.virtualTime(VirtualTimeOptions(stallLimit: .seconds(30)))) struct ExchangeTests {
    private struct Server: HTTPStubbing {
      let stubs = HTTPStubTable(
        unmatched: .fail, verifiesAtEnd: false,
        at: _EscapementCore.SourceLocation(
          fileID: #fileID, filePath: #filePath, line: #line, column: #column))
    }

    private let server = Server()
    private let request = HTTPStub.Request(.get, URL(string: "http://127.0.0.1:1/")!)

    /// Waits for other threads, often enough for time to move if it can.
    private func waitOutside() async {
      for _ in 0..<50 {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume() }
        }
      }
    }

    @Test func `time stands from the end of the request until a stub has it`() async throws {
      let time = try #require(VirtualTime.current)
      server.stub(.get, "/") { _ in
        try await Task.sleep(for: .seconds(5))
        return .text("late")
      }
      let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
      let exchange = Exchange(request, server.stubs, time)
      await waitOutside()
      #expect(time.now.offset == .zero)
      exchange.start()
      var parts = exchange.parts.makeAsyncIterator()
      let part = await parts.next()
      #expect(part?.end == .keptOpen)
      #expect(time.now.offset == .seconds(5))
      try await sleeper.value
    }

    @Test func `time stands until what is sent has been written`() async throws {
      let time = try #require(VirtualTime.current)
      server.stub(.get, "/", returns: .text("answer"))
      let exchange = Exchange(request, server.stubs, time)
      exchange.start()
      let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
      await waitOutside()
      #expect(time.now.offset == .zero)
      do {
        var parts = exchange.parts.makeAsyncIterator()
        let part = await parts.next()
        await waitOutside()
        #expect(time.now.offset == .zero)
        withExtendedLifetime(part) {}
      }
      try await sleeper.value
      #expect(time.now.offset == .seconds(1))
    }

    @Test func `an exchange that nobody wants any more lets time go`() async throws {
      let time = try #require(VirtualTime.current)
      let exchange = Exchange(request, server.stubs, time)
      exchange.cancel(byClient: true)
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
      #expect(server.requests.isEmpty)
    }
  }
#endif
