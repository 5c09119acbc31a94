#if MockServer
  import EscapementMockHTTP
  import EscapementTesting
  import FlyingSocks
  import Foundation
  import TestSupport
  import Testing

  @testable import EscapementMockServer

  @Suite struct ClientObserverTests {
    private let request = "GET / HTTP/1.1\r\nHost: me\r\n\r\n"

    @Test(arguments: [
      ("05", "4711", LoopbackClientObserver.State.waiting), ("05", "0", .gone),
      ("04", "4711", .undecided), ("04", "0", .gone), ("06", "0", .gone),
    ])
    func `the state of a client is read from its line of the table`(
      state: String, inode: String, expected: LoopbackClientObserver.State
    ) {
      func line(_ client: String, _ server: String) -> String {
        "   7: 0100007F:\(client) 0100007F:\(server) \(state) 00000000:00000000 00:00000000 "
          + "00000000  1000        0 \(inode) 1 0000000000000000 20 4 30 10 -1\n"
      }
      let head = "  sl  local_address rem_address   st\n"
      func found(_ table: String) -> LoopbackClientObserver.State {
        LoopbackClientObserver.state(in: head + table, client: 0xABCD, server: 0x1F90)
      }
      #expect(found(line("1F90", "ABCD") + line("ABCD", "1F90")) == expected)
      #expect(found(line("1F90", "ABCD") + line("ABCD", "1F91")) == .missing)
    }

    #if os(Linux)
      @Test func `a client that ends its side after the request gets the answer`() async throws {
        let observations = Log<Bool>()
        let server = try ListeningServer(clients: RecordingObserver(observations))
        let stub = server.stub(.get, "/") { _ in
          // The server knows by now that nothing more will come.
          await observations.wait(for: 1)
          return .text("late")
        }
        let client = try RawClient(server.url)
        try client.send(request)
        client.endSending()
        let (text, end) = await client.receiveAll()
        #expect(text.hasSuffix("\r\n\r\nlate"))
        #expect(end == .closed)
        #expect(observations.entries == [true])
        #expect(stub.cancellationCount == 0)
        try client.close()
        await server.stop()
      }

      @Test func `a client that ends its side gets all answers that it has asked for`() async throws
      {
        let observations = Log<Bool>()
        let server = try ListeningServer(clients: RecordingObserver(observations))
        server.stub(.get, "/") { _ in
          await observations.wait(for: 1)
          return .text("late")
        }
        let client = try RawClient(server.url)
        try client.send(request + request + request)
        client.endSending()
        let (text, _) = await client.receiveAll()
        #expect(text.components(separatedBy: "late").count == 4)
        try client.close()
        await server.stop()
      }
    #endif

    @Test func `a client that closes the connection waits for nothing`() async throws {
      let observations = Log<Bool>()
      let server = try ListeningServer(clients: RecordingObserver(observations))
      let stub = server.stub(.get, "/", returns: .never)
      let client = try RawClient(server.url)
      try client.send(request)
      try await stub.wait(forCallCount: 1)
      try client.close()
      try await stub.wait(forCancellationCount: 1)
      #expect(observations.entries == [false])
      await server.stop()
    }

    @Test func `the stop does not wait for the answer of a client that has ended its side`()
      async throws
    {
      let server = try ListeningServer()
      let stub = server.stub(.get, "/", returns: .never)
      let client = try RawClient(server.url)
      try client.send(request)
      client.endSending()
      try await stub.wait(forCallCount: 1)
      await server.stop()
      #expect(await client.receiveAll().text == "")
      try client.close()
    }
  }

  private struct RecordingObserver: ClientObserver {
    private let observations: Log<Bool>

    init(_ observations: Log<Bool>) { self.observations = observations }

    func waitsForAnswers(_ socket: Socket) async -> Bool {
      let waits = await LoopbackClientObserver().waitsForAnswers(socket)
      observations.append(waits)
      return waits
    }
  }
#endif
