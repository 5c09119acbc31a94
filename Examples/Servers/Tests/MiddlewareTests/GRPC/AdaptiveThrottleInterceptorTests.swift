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

  @Test(.virtualTime(.crowd))
  func `of a crowd of calls, each has an answer or is refused`() async throws {
    let calls = Log<String>()
    let throttle = try AdaptiveThrottle()
    try await withCourier(interceptors: [AdaptiveThrottleInterceptor(throttle)]) { parcel in
      calls.append(parcel)
      if Int(parcel)! % 4 != 0 { throw RPCError(code: .resourceExhausted, message: parcel) }
      return parcel
    } _: { client in
      let outcomes = await withTaskGroup(of: String.self) { group in
        for number in 0..<crowd {
          group.addTask {
            do {
              // The second half comes when the answers to the first are known.
              if number >= crowd / 2 { try await Task.sleep(for: .seconds(1)) }
              return try await client.deliver("\(number)") == "\(number)" ? "answered" : "wrong"
            } catch let error as RPCError {
              return error.cause is CallThrottledError
                ? "refused" : error.message == "\(number)" && number % 4 != 0 ? "failed" : "wrong"
            } catch {
              return "wrong"
            }
          }
        }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(outcomes["wrong"] == nil)
      #expect(outcomes["refused", default: 0] > crowd / 10)
      #expect(calls.count + outcomes["refused", default: 0] == crowd)
    }
  }

  @Test(arguments: ["breaker", "throttle"])
  func `an interceptor refuses calls of a service that fails, in real time`(
    kind: String
  ) async throws {
    let calls = Log<String>()
    let interceptor: any ClientInterceptor =
      kind == "breaker"
      ? try CircuitBreakerInterceptor(.failures(2, ofLast: 2))
      : AdaptiveThrottleInterceptor(try AdaptiveThrottle())
    try await withCourier(interceptors: [interceptor]) { parcel in
      calls.append(parcel)
      throw RPCError(code: .unavailable, message: "rain")
    } _: { client in
      var refused = 0
      for _ in 1...50 {
        let error = await #expect(throws: RPCError.self) { try await client.deliver("tea") }
        if error?.cause is CircuitOpenError || error?.cause is CallThrottledError { refused += 1 }
      }
      #expect(refused > 0)
      #expect(calls.count + refused == 50)
    }
  }
}
