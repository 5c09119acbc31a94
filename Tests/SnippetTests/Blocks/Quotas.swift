// Refusing clients that ask too often, and testing that without waiting.

import Escapement
import EscapementClocks
import Testing

struct Response: Equatable {
  var status: Int
  var retryAfter: Duration?
}

struct Server<C: Clock<Duration>>: Sendable {
  private let limiter: KeyedQuotaLimiter<String, C>

  init(clock: C = ContinuousClock()) throws {
    limiter = try KeyedQuotaLimiter(
      .tokenBucket(capacity: 3, refill: 1, every: .seconds(10)), clock: clock)
  }

  func respond(to client: String) -> Response {
    switch limiter.tryAcquire(for: client) {
    case .allowed: Response(status: 200)
    case .denied(let retryAfter): Response(status: 429, retryAfter: retryAfter)
    }
  }
}

func limiterForPartner(
  perHour: Int
) throws -> QuotaLimiter<ContinuousClock> {
  try QuotaLimiter(
    .all(
      .tokenBucket(capacity: 10, refill: 10, every: .seconds(1)),
      .slidingWindow(limit: perHour, per: .seconds(3600))))
}

func received(
  status: Int, retryAfter: Duration?, for limiter: QuotaLimiter<ContinuousClock>
) throws {
  if status == 429 { try limiter.drain(for: retryAfter ?? .zero) }
}

@Test func `the fourth request is refused`() async throws {
  let clock = TestClock()
  let server = try Server(clock: clock)
  for _ in 1...3 { #expect(server.respond(to: "a") == Response(status: 200)) }
  #expect(server.respond(to: "a") == Response(status: 429, retryAfter: .seconds(10)))
  #expect(server.respond(to: "b") == Response(status: 200))

  await clock.advance(by: .seconds(10) - .nanoseconds(1))
  #expect(server.respond(to: "a") == Response(status: 429, retryAfter: .nanoseconds(1)))
  await clock.advance(by: .nanoseconds(1))
  #expect(server.respond(to: "a") == Response(status: 200))
}

@Test func `an answer of a server drains the quota`() throws {
  let limiter = try limiterForPartner(perHour: 1_000)
  #expect(limiter.tryAcquire().isAllowed)
  try limiter.credit()
  #expect(limiter.remaining == 10)
  try received(status: 429, retryAfter: .seconds(60), for: limiter)
  #expect(limiter.remaining == 0)
}
