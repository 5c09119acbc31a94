import Foundation
import Hummingbird
import Logging
public import NIOCore
import NIOFoundationCompat

extension Replica {
  /// Runs the member and its server, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - host: The address at which it listens.
  ///   - group: The event loops of the server.
  public nonisolated func serve(
    _ host: String = "0.0.0.0", port: Int = 8080, on group: any EventLoopGroup
  ) async throws {
    let router = Router()
    router.post("members") { request, _ in
      try await Self.respond { try await self.receive(try await Self.decode(request)) }
    }
    router.post("bookings") { request, _ in
      let booking: Booking = try await Self.decode(request)
      return try await Self.respond {
        try await self.book(booking)
        return booking
      }
    }
    router.get("bookings") { _, _ in try await Self.respond { try await self.bookings() } }
    var logger = Logger(label: "replica")
    logger.logLevel = .critical
    let server = Application(
      router: router, configuration: .init(address: .hostname(host, port: port)),
      eventLoopGroupProvider: .shared(group), logger: logger)
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await server.run() }
      tasks.addTask { try await self.run() }
      try await tasks.next()
      tasks.cancelAll()
    }
  }

  private static func decode<Value: Decodable>(
    _ request: Hummingbird.Request
  ) async throws -> Value {
    let body = try await request.body.collect(upTo: 1 << 24)
    return try JSONDecoder().decode(Value.self, from: Data(buffer: body))
  }

  /// Answers with JSON, or with 503 if the member does not lead.
  private static func respond<Value: Encodable>(
    _ value: () async throws -> Value
  ) async throws -> Response {
    do {
      let data = try JSONEncoder().encode(try await value())
      return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(data: data)))
    } catch is DoesNotLead {
      return Response(status: .serviceUnavailable)
    }
  }
}
