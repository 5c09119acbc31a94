import EscapementGRPC
import EscapementTesting
import GRPCCore
import Testing

/// Calls of gRPC that are cancelled or break off, through a breaker, a throttle and a budget.
@Suite(.virtualTime) struct CancellationTests {
  private let events = Log<String>()
  private let budget: RetryBudget
  private let breaker: CircuitBreakerInterceptor
  private let interceptors: [any ClientInterceptor]
  private let options: CallOptions

  init() throws {
    let policy = RetryPolicy(
      maxAttempts: 4, initialBackoff: .seconds(10), maxBackoff: .seconds(10),
      backoffMultiplier: 1, retryableStatusCodes: [.unavailable])
    let events = events
    let onEvent: @Sendable (String, BlockEvent) -> Void = { block, event in
      switch event {
      case .begun: events.append("\(block) begun")
      case .ended(let error):
        events.append("\(block) ended \(error.map { "\(type(of: $0))" } ?? "")")
      default: events.append("\(block) \(event)")
      }
    }
    budget = try RetryBudget(percent: 0, reserve: 10)
    breaker = try CircuitBreakerInterceptor(.failures(3, ofLast: 3)) { onEvent("breaker", $1) }
    let throttle = try AdaptiveThrottle(onEvent: { onEvent("throttle", $0) })
    interceptors = [
      RetryBudgetInterceptor(budget, for: policy), breaker, AdaptiveThrottleInterceptor(throttle),
    ]
    var options = CallOptions.defaults
    options.executionPolicy = .retry(policy)
    self.options = options
  }

  private let cancelled = [
    "breaker begun", "throttle begun", "throttle ended CancellationError",
    "breaker ended CancellationError",
  ]

  @Test func `a call that is cancelled before it is sent does not reach the server`() async throws {
    let calls = Log<String>()
    try await withCourier(interceptors: interceptors) { parcel in
      calls.append(parcel)
      return parcel
    } _: { client in
      let call = Task { [options] in try await client.deliver("tea", options: options) }
      call.cancel()
      await #expect(throws: (any Error).self) { try await call.value }
      try await Task.sleep(for: .seconds(60))
      #expect(calls.count == 0)
      #expect(events.entries == [] || events.entries == cancelled)
      #expect(budget.remaining == 10)
    }
  }

  @Test func `a call that is cancelled between two attempts is not made again`() async throws {
    let time = try VirtualTime.required
    let calls = Log<Duration>()
    try await withCourier(interceptors: interceptors) { _ in
      calls.append(time.now.offset)
      throw RPCError(
        code: .unavailable, message: "rain", metadata: ["grpc-retry-pushback-ms": "10000"])
    } _: { client in
      let call = Task { [options] in try await client.deliver("tea", options: options) }
      try await Task.sleep(for: .seconds(5))
      call.cancel()
      await #expect(throws: (any Error).self) { try await call.value }
      #expect(time.now.offset == .seconds(5))
      try await Task.sleep(for: .seconds(60))
      #expect(calls.entries == [.zero])
      #expect(breaker.breaker(for: Courier.deliver).state == .closed)
      #expect(budget.remaining == 9)
    }
  }

  @Test func `a call that is cancelled during its answer does not count`() async throws {
    let time = try VirtualTime.required
    let ends = Log<Duration>()
    try await withCourier(interceptors: interceptors) { parcel in
      defer { ends.append(time.now.offset) }
      try await Task.sleep(for: .seconds(60))
      return parcel
    } _: { client in
      for _ in 1...10 {
        // One waits for its answer, and one has got a part of it.
        let calls = [
          Task { [options] in _ = try await client.deliver("tea", options: options) },
          Task { _ = try await client.track("tea") },
        ]
        try await Task.sleep(for: .seconds(1.5))
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: (any Error).self) { try await call.value } }
      }
      #expect(time.now.offset == .seconds(15))
      #expect(events.entries.sorted() == (1...20).flatMap { _ in cancelled }.sorted())
      #expect(breaker.breaker(for: Courier.deliver).state == .closed)
      #expect(budget.remaining == 10)
      // gRPC tells a handler that its client has gone away only where the handler asks for it.
      try await Task.sleep(for: .seconds(60))
      #expect(ends.count == 10)
    }
  }

  /// gRPC keeps the first messages of a stream for another attempt.
  @Test(arguments: [(10, 4), (1_000, 1)])
  func `a stream of messages is sent again only from its beginning`(
    size: Int, attempts: Int
  ) async throws {
    let (calls, sent) = (Log<String>(), Log<String>())
    let breaker = try CircuitBreakerInterceptor(.failures(10, ofLast: 10))
    let parcels = (1...size).map(String.init)
    try await withCourier(interceptors: [interceptors[0], breaker]) { parcels in
      calls.append(parcels)
      throw RPCError(code: .unavailable, message: "rain")
    } _: { client in
      let error = await #expect(throws: RPCError.self) {
        try await client.load(parcels, options: options) { sent.append($0) }
      }
      #expect(error?.message == "rain")
      // The caller's stream is read once.
      #expect(sent.entries == parcels)
      #expect(calls.entries == Array(repeating: parcels.joined(separator: " "), count: attempts))
    }
  }
}
