public import AsyncHTTPClient
import Escapement

/// A client of a ledger, which finds the member that leads.
public struct LedgerClient: Sendable {
  private let client: HTTPClient
  private let addresses: [String]

  /// A client of members at addresses such as `http://alpha:8080`.
  public init(_ client: HTTPClient, of addresses: [String]) {
    self.client = client
    self.addresses = addresses
  }

  /// Books, and returns when the booking is safe.
  ///
  /// It is sent again until a member confirms it, and is booked once all the same.
  ///
  /// - Throws: An error if no member has confirmed it within a minute. It may have been booked.
  public func book(_ booking: Booking) async throws {
    var attempt = 0
    try await persistently {
      let address = addresses[attempt % addresses.count]
      attempt += 1
      let _: Booking = try await client.post(booking, to: address + "/bookings")
    }
  }

  /// All bookings that are safe.
  ///
  /// When a member does not answer within half a second, the next one is asked as well.
  ///
  /// - Throws: An error if no member has answered within a minute.
  public func bookings() async throws -> [Booking] {
    try await persistently {
      try await hedged(after: .milliseconds(500), maximumAttempts: addresses.count) { attempt in
        try await client.answer(
          to: HTTPClientRequest(url: addresses[attempt - 1] + "/bookings"))
      }
    }
  }

  /// Tries again and again for a minute.
  private func persistently<Value>(_ operation: () async throws -> Value) async throws -> Value {
    try await retry(
      maximumAttempts: 1000, backoff: .exponential(base: .milliseconds(50), cap: .seconds(1)),
      before: .now + .seconds(60), operation: operation)
  }
}
