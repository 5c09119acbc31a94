import Escapement
import EscapementGRPC
import EscapementTesting
import GRPCCore
import Testing

@Suite(.virtualTime) struct InterceptorsTogetherTests {
  @Test func `a breaker does not count what a throttle inside has refused`() async throws {
    let throttle = try AdaptiveThrottle()
    let ends = Log<String>()
    let breaker = try CircuitBreakerInterceptor(.failures(5, ofLast: 5)) {
      if case .ended(let error) = $1 { ends.append(error.map { "\(type(of: $0))" } ?? "success") }
    }
    // Other clients have made the throttle refuse.
    for _ in 1...1_000 {
      _ = try? await throttle.run { throw RPCError(code: .unavailable, message: "") }
    }
    let interceptors: [any ClientInterceptor] = [breaker, AdaptiveThrottleInterceptor(throttle)]
    try await withCourier(interceptors: interceptors) {
      $0
    } _: { client in
      for _ in 1...100 { _ = try? await client.deliver("tea") }
      #expect(breaker.breaker(for: Courier.deliver).state == .closed)
      #expect(ends.count == 100)
      #expect(ends.entries.contains("CallThrottledError"))
      #expect(!ends.entries.contains("CancellationError"))
    }
  }

  @Test func `a throttle does not count what a breaker inside has refused`() async throws {
    let throttle = try AdaptiveThrottle()
    let breaker = try CircuitBreakerInterceptor(.failures(5, ofLast: 5))
    breaker.breaker(for: Courier.deliver).isolate()
    let interceptors: [any ClientInterceptor] = [AdaptiveThrottleInterceptor(throttle), breaker]
    try await withCourier(interceptors: interceptors) {
      $0
    } _: { client in
      for _ in 1...100 { _ = try? await client.deliver("tea") }
      #expect(throttle.refusalProbability == 0)
    }
  }

  @Test func `an answer that is not read to its end has ended for a throttle`() async throws {
    let events = Log<String>()
    let throttle = try AdaptiveThrottle(onEvent: { events.append("\($0)".prefix(5).description) })
    try await withCourier(interceptors: [AdaptiveThrottleInterceptor(throttle)]) {
      $0
    } _: { client in
      for _ in 1...3 { _ = try await client.track("tea", corners: 1) }
      try await Task.sleep(for: .seconds(10))
      #expect(events.entries.filter { $0 == "begun" }.count == 3)
      #expect(events.entries.filter { $0 == "ended" }.count == 3)
    }
  }
}
