import EscapementGRPC
import EscapementTesting
import GRPCCore
import Testing

private func policy(attempts: Int, backoff: Duration = .seconds(1)) -> RetryPolicy {
  RetryPolicy(
    maxAttempts: attempts, initialBackoff: backoff, maxBackoff: backoff, backoffMultiplier: 1,
    retryableStatusCodes: [.unavailable])
}

/// Runs a body with a courier, a budget, and a function that delivers with retries.
private func withBudget(
  _ budget: RetryBudget, attempts: Int, backoff: Duration = .seconds(1),
  before others: [any ClientInterceptor] = [],
  deliver: @escaping @Sendable (String) async throws -> String,
  _ body: (@escaping @Sendable (String) async throws -> String) async throws -> Void
) async throws {
  let policy = policy(attempts: attempts, backoff: backoff)
  try await withCourier(
    interceptors: [RetryBudgetInterceptor(budget, for: policy)] + others, deliver: deliver
  ) { client in
    try await body { parcel in
      var options = CallOptions.defaults
      options.executionPolicy = .retry(policy)
      return try await client.deliver(parcel, options: options)
    }
  }
}

@Suite(.virtualTime) struct RetryBudgetInterceptorTests {
  @Test func `retries end when the budget is empty, with the error of the service`() async throws {
    let calls = Log<String>()
    let budget = try RetryBudget(percent: 0, reserve: 3)
    try await withBudget(budget, attempts: 5) { parcel in
      calls.append(parcel)
      throw RPCError(code: .unavailable, message: "rain")
    } _: { deliver in
      for _ in 1...10 {
        let error = await #expect(throws: RPCError.self) { try await deliver("tea") }
        #expect(error?.code == .unavailable)
        #expect(error?.message == "rain")
      }
      #expect(calls.count == 13)
      #expect(budget.remaining == 0)
    }
  }

  @Test func `the last attempt takes nothing, and only first answers pay in`() async throws {
    let calls = Log<String>()
    let budget = try RetryBudget(percent: 50, reserve: 2)
    try await withBudget(budget, attempts: 2) { parcel in
      // The first attempt of each call for coffee fails, and each one for rain.
      if calls.append(parcel) % 2 == 1, parcel == "coffee" || parcel == "rain" {
        throw RPCError(code: .unavailable, message: "")
      }
      if parcel == "rain" { throw RPCError(code: .unavailable, message: "") }
      return parcel
    } _: { deliver in
      await #expect(throws: RPCError.self) { try await deliver("rain") }
      #expect(calls.count == 2)
      #expect(budget.remaining == 1)
      // It pays a half in and takes a whole one.
      #expect(try await deliver("coffee") == "coffee")
      #expect(calls.count == 4)
      #expect(budget.remaining == 0)
      for _ in 1...3 { _ = try await deliver("tea") }
      #expect(budget.remaining == 2)
    }
  }

  @Test(arguments: [RPCError.Code.notFound, .unavailable])
  func `a failure that is not retried pays in, unless the server forbids retries`(
    code: RPCError.Code
  ) async throws {
    let calls = Log<String>()
    let budget = try RetryBudget(percent: 100, reserve: 2)
    try await withBudget(budget, attempts: 2) { parcel in
      calls.append(parcel)
      throw parcel == "rain"
        ? RPCError(code: .unavailable, message: "")
        : RPCError(
          code: code, message: "",
          metadata: code == .unavailable ? ["grpc-retry-pushback-ms": "-1"] : [:])
    } _: { deliver in
      await #expect(throws: RPCError.self) { try await deliver("rain") }
      #expect(budget.remaining == 1)
      await #expect(throws: RPCError.self) { try await deliver("tea") }
      #expect(calls.entries == ["rain", "rain", "tea"])
      #expect(budget.remaining == (code == .notFound ? 2 : 1))
    }
  }

  @Test(arguments: ["9223372036854775807", "-1", "rain", ""])
  func `a number of attempts that cannot be is the first`(number: String) async throws {
    let calls = Log<String>()
    try await withBudget(try RetryBudget(percent: 0, reserve: 2), attempts: 4) { parcel in
      calls.append(parcel)
      throw RPCError(
        code: .unavailable, message: "", metadata: ["grpc-previous-rpc-attempts": "\(number)"])
    } _: { deliver in
      for _ in 1...3 { await #expect(throws: RPCError.self) { try await deliver("tea") } }
      #expect(calls.count == 5)
    }
  }

  @Test func `a call that a breaker refuses does not count`() async throws {
    let budget = try RetryBudget(percent: 100, reserve: 2)
    let breaker = try CircuitBreakerInterceptor(.failures(2, ofLast: 2))
    try await withBudget(budget, attempts: 2, before: [breaker]) { _ in
      throw RPCError(code: .unavailable, message: "rain")
    } _: { deliver in
      await #expect(throws: RPCError.self) { try await deliver("tea") }
      #expect(budget.remaining == 1)
      for _ in 1...5 {
        let error = await #expect(throws: RPCError.self) { try await deliver("tea") }
        #expect(error?.cause is CircuitOpenError)
      }
      #expect(budget.remaining == 1)
    }
  }

  @Test(.virtualTime(.crowd))
  func `of a crowd of calls that fail, the budget bounds the attempts`() async throws {
    let calls = Log<String>()
    let budget = try RetryBudget(percent: 10, reserve: 100)
    try await withBudget(budget, attempts: 5) { parcel in
      calls.append(parcel)
      throw RPCError(code: .unavailable, message: parcel)
    } _: { deliver in
      let wrong = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<crowd {
          group.addTask {
            do {
              _ = try await deliver("\(number)")
              return true
            } catch {
              return (error as? RPCError)?.message != "\(number)"
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(wrong == 0)
      // 100 in the beginning, and a tenth for each call but the first, whose part had no room.
      #expect(calls.count == crowd + 100 + (crowd - 1) / 10)
    }
  }
}

@Suite struct RealTimeRetryBudgetInterceptorTests {
  @Test func `retries end when the budget is empty, in real time`() async throws {
    let calls = Log<String>()
    let budget = try RetryBudget(percent: 0, reserve: 1)
    try await withBudget(budget, attempts: 3, backoff: .milliseconds(1)) { parcel in
      calls.append(parcel)
      throw RPCError(code: .unavailable, message: "rain")
    } _: { deliver in
      await #expect(throws: RPCError.self) { try await deliver("tea") }
      #expect(calls.count == 2)
    }
  }
}
