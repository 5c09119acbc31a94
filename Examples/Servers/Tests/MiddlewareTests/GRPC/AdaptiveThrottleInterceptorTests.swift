import EscapementGRPC
import EscapementTesting
import GRPCCore
import Testing

@Suite struct AdaptiveThrottleInterceptorTests {
  @Test(.virtualTime) func `most calls of an overloaded service are refused by the client`()
    async throws
  {
    let calls = Log<String>()
    let throttle = try AdaptiveThrottle()
    try await withCourier(interceptors: [AdaptiveThrottleInterceptor(throttle)]) { parcel in
      calls.append(parcel)
      throw RPCError(code: .resourceExhausted, message: "too many parcels")
    } _: { client in
      var refused = 0
      for _ in 1...200 {
        let error = await #expect(throws: RPCError.self) { try await client.deliver("tea") }
        if error?.cause is CallThrottledError { refused += 1 }
      }
      #expect(calls.count + refused == 200)
      // The first call of all is let through, and some of the others.
      #expect(1..<100 ~= calls.count)
      #expect(throttle.refusalProbability > 0.9)
    }
  }

  @Test(.virtualTime) func `errors of callers do not throttle`() async throws {
    let throttle = try AdaptiveThrottle()
    try await withCourier(interceptors: [AdaptiveThrottleInterceptor(throttle)]) { _ in
      throw RPCError(code: .invalidArgument, message: "no address")
    } _: { client in
      for _ in 1...20 {
        await #expect(throws: RPCError.self) { try await client.deliver("tea") }
      }
      #expect(throttle.refusalProbability == 0)
    }
  }

  @Test func `a call passes both interceptors, in real time`() async throws {
    let interceptors: [any ClientInterceptor] = [
      try CircuitBreakerInterceptor(.failures(2, ofLast: 2)),
      AdaptiveThrottleInterceptor(try AdaptiveThrottle()),
    ]
    try await withCourier(interceptors: interceptors) {
      $0
    } _: { client in
      let answer = try await client.deliver("tea")
      #expect(answer == "tea")
    }
  }
}
