import AsyncHTTPClient
import Escapement
import EscapementTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@Suite(.virtualTime) struct BlockStatesTests {
  @Test func `an endpoint shows the blocks of a registry`() async throws {
    let numbers = ["prices.failures": 1.0, "prices.calls": 1]
    let blocks = BlockRegistry { numbers[$0] }
    let breaker = try blocks.circuitBreaker("prices", .failures(5, ofLast: 10))
    let clients = try blocks.keyedQuotaLimiter(
      "clients", .slidingWindow(limit: 100, per: .seconds(60)))
    let faults = try blocks.faultInjector(
      "experiment", [.latency(.seconds(1)...(.seconds(3)), share: 0)])
    try await withServer { router in
      router.get("blocks") { _, _ in
        let json = try JSONEncoder().encode(blocks.states)
        return Response(
          status: .ok, headers: [.contentType: "application/json"],
          body: .init(byteBuffer: ByteBuffer(bytes: json)))
      }
    } _: { server in
      _ = try? await breaker.run { try await faults.run { throw CancellationError() } }
      _ = try? await breaker.run { throw HTTPError(.conflict) }
      _ = clients.tryAcquire(for: "ann")
      let response = try await server.client.execute(
        HTTPClientRequest(url: "\(server.address)/blocks"), timeout: .minutes(1))
      #expect(response.headers["Content-Type"] == ["application/json"])
      let json = try await response.body.collect(upTo: 10_000)
      #expect(
        try JSONDecoder().decode([String: BlockState].self, from: Data(json.readableBytesView)) == [
          "prices": .circuitBreaker(state: .open), "clients": .keyedQuotaLimiter(keys: 1),
          "experiment": .faultInjector(faults: []),
        ])
    }
  }
}
