public import AsyncHTTPClient
import Escapement
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Asks the warehouse what is in stock.
public struct WarehouseClient: Sendable {
  struct UnexpectedStatus: Error { let code: UInt }

  let client: HTTPClient
  let address: String

  /// Creates a client of the warehouse at an address such as `http://127.0.0.1:8080`.
  public init(_ client: HTTPClient, at address: String) {
    self.client = client
    self.address = address
  }

  /// Each request may take 10 seconds, and all of them together a minute.
  public func stock() async throws -> [String: Int] {
    try await retry(
      maximumAttempts: 4, backoff: .exponential(base: .seconds(1), cap: .seconds(20)),
      before: .now + .seconds(60)
    ) {
      let request = HTTPClientRequest(url: address + "/stock")
      let response = try await client.execute(request, timeout: .seconds(10))
      guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
      let body = try await response.body.collect(upTo: 1 << 20)
      return try JSONDecoder().decode([String: Int].self, from: Data(buffer: body))
    }
  }
}
