// Calling a service that may be slow or down, and testing that without waiting.

import Escapement
import EscapementTesting
import Testing

struct PriceService: Sendable {
  let fetch: @Sendable (String) async throws -> Int
  let breaker: CircuitBreaker<ContinuousClock>
  let limiter: ConcurrencyLimiter<ContinuousClock>

  init(fetch: @escaping @Sendable (String) async throws -> Int) throws {
    self.fetch = fetch
    breaker = try CircuitBreaker(.failureRate(percent: 50, over: .seconds(10)))
    limiter = try ConcurrencyLimiter(.fixed(8), maximumWaiting: 100)
  }

  func price(of article: String) async throws -> Int? {
    try await withFallback {
      try await withDeadline(in: .seconds(5)) {
        try await retry(when: { $0 is CircuitOpenError ? .fail : .retry }) {
          try await breaker.run {
            try await limiter.run {
              try await withDeadline(in: .seconds(1)) { try await fetch(article) }
            }
          }
        }
      }
    } fallback: { _ in
      nil
    }
  }
}

struct ShopError: Error {}

@MainActor final class Shop {
  var isDown = true

  func price(of article: String) throws -> Int {
    if isDown { throw ShopError() }
    return 42
  }
}

@Test(.virtualTime) @MainActor
func `the price is missing while the shop is down, and back afterwards`() async throws {
  let shop = Shop()
  let service = try PriceService { try await shop.price(of: $0) }
  for _ in 1...4 { #expect(try await service.price(of: "lamp") == nil) }
  #expect(service.breaker.state == .open)
  shop.isDown = false
  try await Task.sleep(for: .seconds(30))
  #expect(try await service.price(of: "lamp") == 42)
  #expect(service.breaker.state == .closed)
}
