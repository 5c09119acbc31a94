import EscapementTesting
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import Testing

/// A service without generated code, and with handlers of the test.
struct Courier: RegistrableRPCService {
  static let deliver = MethodDescriptor(fullyQualifiedService: "Courier", method: "Deliver")
  static let track = MethodDescriptor(fullyQualifiedService: "Courier", method: "Track")
  static let load = MethodDescriptor(fullyQualifiedService: "Courier", method: "Load")
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
          try await writer.write("corner \(corner)")
          try await Task.sleep(for: .seconds(1))
        }
        _ = try await deliver(parcel)
        return [:]
      }
    }
    router.registerHandler(
      forMethod: Self.load, deserializer: Text(), serializer: Text()
    ) { request, _ in
      var parcels: [String] = []
      for try await parcel in request.messages { parcels.append(parcel) }
      let answer = try await deliver(parcels.joined(separator: " "))
      return StreamingServerResponse(single: ServerResponse(message: answer))
    }
  }
}

extension GRPCClient {
  func deliver(_ parcel: String, options: CallOptions = .defaults) async throws -> String {
    try await unary(
      request: ClientRequest(message: parcel), descriptor: Courier.deliver, serializer: Text(),
      deserializer: Text(), options: options
    ) { try $0.message }
  }

  /// Sends parcels one by one, and tells of each.
  func load(
    _ parcels: [String], options: CallOptions, onSend: @escaping @Sendable (String) -> Void
  ) async throws -> String {
    let request = StreamingClientRequest<String> { writer in
      for parcel in parcels {
        onSend(parcel)
        try await writer.write(parcel)
      }
    }
    return try await clientStreaming(
      request: request, descriptor: Courier.load, serializer: Text(), deserializer: Text(),
      options: options
    ) { try $0.message }
  }

  /// Follows a parcel for a number of corners.
  func track(_ parcel: String, corners: Int = .max) async throws -> Int {
    try await serverStreaming(
      request: ClientRequest(message: parcel), descriptor: Courier.track, serializer: Text(),
      deserializer: Text(), options: .defaults
    ) { response in
      var count = 0
      for try await _ in response.messages {
        count += 1
        if count == corners { break }
      }
      return count
    }
  }
}

/// Runs a body with a courier and a client, on event loops of their own.
func withCourier(
  interceptors: [any ClientInterceptor],
  deliver: @escaping @Sendable (String) async throws -> String,
  _ body: (GRPCClient<HTTP2ClientTransport.Posix>) async throws -> Void
) async throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  do {
    try await withGRPCServer(
      transport: .http2NIOPosix(
        address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext,
        config: .defaults { $0.connection.flushCoalescing = nil }, eventLoopGroup: group),
      services: [Courier(deliver: deliver)]
    ) { server in
      let port = try #require(try await server.listeningAddress?.ipv4?.port)
      try await withGRPCClient(
        transport: .http2NIOPosix(
          target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext,
          config: .defaults { $0.connection.flushCoalescing = nil }, eventLoopGroup: group),
        interceptors: interceptors, handleClient: body)
    }
  } catch {
    try await group.shutdownGracefully()
    throw error
  }
  try await group.shutdownGracefully()
}

/// Messages are texts in UTF-8.
private struct Text: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: String) -> Bytes { Bytes(message.utf8) }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
