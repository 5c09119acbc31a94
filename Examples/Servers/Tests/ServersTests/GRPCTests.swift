import EscapementTesting
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOPosix
import Testing

/// A client connects, gets the settings of the server, and then sends its first call.
@Suite(.loopbackAndHost) struct GRPCTests {
  @Test func `a call takes as long as its handler`() async throws {
    let time = try VirtualTime.required
    try await withCourier(deliver: { parcel in
      try await Task.sleep(for: .seconds(2))
      return "\(parcel) delivered"
    }) { client, _ in
      let answer = try await client.deliver("tea")
      #expect(answer == "tea delivered")
      #expect(time.now.offset == .seconds(2) + ways(6))
    }
  }

  @Test func `a call is given up at its timeout`() async throws {
    let time = try VirtualTime.required
    try await withCourier(deliver: { parcel in
      try await Task.sleep(for: .seconds(60))
      return parcel
    }) { client, _ in
      var options = CallOptions.defaults
      options.timeout = .seconds(5)
      let error = await #expect(throws: RPCError.self) {
        try await client.deliver("tea", options: options)
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(time.now.offset == .seconds(5))
    }
  }

  @Test func `a call is tried again when the server has said`() async throws {
    let time = try VirtualTime.required
    let attempts = Log<Duration>()
    try await withCourier(deliver: { parcel in
      attempts.append(time.now.offset)
      if attempts.count < 3 {
        // The delays of gRPC's own back-off are random.
        throw RPCError(
          code: .unavailable, message: "no bicycle",
          metadata: ["grpc-retry-pushback-ms": "\(1500 * attempts.count)"])
      }
      return parcel
    }) { client, _ in
      var options = CallOptions.defaults
      options.executionPolicy = .retry(
        RetryPolicy(
          maxAttempts: 4, initialBackoff: .seconds(1), maxBackoff: .seconds(10),
          backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
      let answer = try await client.deliver("tea", options: options)
      #expect(answer == "tea")
      #expect(attempts.entries == [ways(5), .seconds(1.5) + ways(7), .seconds(4.5) + ways(9)])
    }
  }

  @Test func `a server streams a message each second`() async throws {
    let time = try VirtualTime.required
    try await withCourier { client, _ in
      let log = Log<String>()
      try await client.track("tea") { log.append("\($0) at \(time.now.offset - ways(6))") }
      #expect(
        log.entries == [
          "tea passes corner 1 at 1.0 seconds", "tea passes corner 2 at 2.0 seconds",
          "tea passes corner 3 at 3.0 seconds",
        ])
    }
  }

  @Test func `a shutdown lets a call finish that is under way`() async throws {
    let time = try VirtualTime.required
    try await withCourier(deliver: { parcel in
      try await Task.sleep(for: .seconds(10))
      return parcel
    }) { client, server in
      async let answer = client.deliver("tea")
      try await Task.sleep(for: .seconds(3))
      server.beginGracefulShutdown()
      try await Task.sleep(for: .seconds(1))
      var options = CallOptions.defaults
      options.waitForReady = false
      let error = await #expect(throws: RPCError.self) {
        try await client.deliver("coffee", options: options)
      }
      #expect(error?.code == .unavailable)
      #expect(time.now.offset == .seconds(4))
      #expect(try await answer == "tea")
      #expect(time.now.offset == .seconds(10) + ways(6))
    }
  }
}

/// Runs a body with a courier and a client, on event loops of their own.
///
/// By default, gRPC waits for 100 µs for more to send. Instants are easier to read without that.
private func withCourier(
  deliver: @escaping @Sendable (String) async throws -> String = { $0 },
  _ body: (
    GRPCClient<HTTP2ClientTransport.Posix>, GRPCServer<HTTP2ServerTransport.Posix>
  ) async throws -> Void
) async throws {
  try await withEventLoops(2) { group in
    try await withGRPCServer(
      transport: transport(at: .ipv4(host: "127.0.0.1", port: 0), on: group),
      services: [Courier(deliver: deliver)]
    ) { server in
      let port = try #require(try await server.listeningAddress?.ipv4?.port)
      try await withCourier(at: .ipv4(address: "127.0.0.1", port: port), on: group) { client in
        try await body(client, server)
      }
    }
  }
}

private func transport(
  at address: GRPCNIOTransportCore.SocketAddress, on group: MultiThreadedEventLoopGroup
) -> HTTP2ServerTransport.Posix {
  .http2NIOPosix(
    address: address, transportSecurity: .plaintext,
    config: .defaults { $0.connection.flushCoalescing = nil }, eventLoopGroup: group)
}

/// Runs a courier for all who come, on an event loop of its own.
func serveCourier(port: Int) async throws {
  try await withEventLoops(1) { group in
    try await GRPCServer(
      transport: transport(at: .ipv4(host: "0.0.0.0", port: port), on: group),
      services: [Courier { $0 }]
    ).serve()
  }
}

/// Runs a body with a client of a courier.
func withCourier(
  at target: any ResolvableTarget, on group: MultiThreadedEventLoopGroup,
  configure: (inout HTTP2ClientTransport.Posix.Config) -> Void = { _ in },
  _ body: (GRPCClient<HTTP2ClientTransport.Posix>) async throws -> Void
) async throws {
  try await withGRPCClient(
    transport: .http2NIOPosix(
      target: target, transportSecurity: .plaintext,
      config: .defaults {
        $0.connection.flushCoalescing = nil
        configure(&$0)
      }, eventLoopGroup: group),
    handleClient: body)
}

/// A service without generated code, and with a handler of the test.
private struct Courier: RegistrableRPCService {
  static let deliver = MethodDescriptor(fullyQualifiedService: "Courier", method: "Deliver")
  static let track = MethodDescriptor(fullyQualifiedService: "Courier", method: "Track")
  let deliver: @Sendable (String) async throws -> String

  func registerMethods<Transport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: Self.deliver, deserializer: Text(), serializer: Text()
    ) { request, _ in
      let parcel = try await ServerRequest(stream: request).message
      return StreamingServerResponse(single: ServerResponse(message: try await deliver(parcel)))
    }
    router.registerHandler(
      forMethod: Self.track, deserializer: Text(), serializer: Text()
    ) { request, _ in
      let parcel = try await ServerRequest(stream: request).message
      return StreamingServerResponse { writer in
        for corner in 1...3 {
          try await Task.sleep(for: .seconds(1))
          try await writer.write("\(parcel) passes corner \(corner)")
        }
        return [:]
      }
    }
  }
}

extension GRPCClient {
  func deliver(
    _ parcel: String, options: CallOptions = .defaults
  ) async throws -> String {
    try await unary(
      request: ClientRequest(message: parcel), descriptor: Courier.deliver, serializer: Text(),
      deserializer: Text(), options: options
    ) { try $0.message }
  }

  func track(
    _ parcel: String, options: CallOptions = .defaults,
    _ action: @escaping @Sendable (String) -> Void
  ) async throws {
    try await serverStreaming(
      request: ClientRequest(message: parcel), descriptor: Courier.track, serializer: Text(),
      deserializer: Text(), options: options
    ) { response in
      for try await message in response.messages { action(message) }
    }
  }
}

/// Messages are texts in UTF-8.
private struct Text: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: String) -> Bytes { Bytes(message.utf8) }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
