#if MockServer
  import FlyingSocks
  import Foundation
  import Testing

  @testable import EscapementMockServer

  @Suite struct SocketsTests {
    @Test func `what is written to a client is sent at once, and not with what comes next`()
      async throws
    {
      let (socket, port) = try Sockets.listen(at: 0)
      let listener = try await Sockets.makeAsync(socket)
      let client = try RawClient(URL(string: "http://127.0.0.1:\(port)")!)
      let accepted = try await listener.acceptClient()
      let noDelay = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
      #expect(try accepted.socket.getValue(for: noDelay))
      try accepted.close()
      try client.close()
      try listener.close()
    }
  }
#endif
