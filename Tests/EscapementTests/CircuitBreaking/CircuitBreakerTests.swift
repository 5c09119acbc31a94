import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct CircuitBreakerTests {
  let clock = TestClock()
  private let states = Log<CircuitState>()

  private struct Failure: Error, Equatable {}
  private struct NotFound: Error {}

  private func makeBreaker(
    _ policy: CircuitBreakerPolicy = .failures(2, ofLast: 3, openFor: .seconds(10))
  ) throws -> CircuitBreaker<TestClock<Duration>> {
    try CircuitBreaker(
      policy, clock: clock, countingAsFailure: { !($0 is NotFound) },
      onEvent: { [states] in if case .changed(let state) = $0 { states.append(state) } })
  }

  private func fail(_ breaker: CircuitBreaker<TestClock<Duration>>, _ count: Int = 1) async {
    for _ in 0..<count {
      await #expect(throws: Failure.self) { try await breaker.run { throw Failure() } }
    }
  }

  @Test func `a breaker opens after its failures, and lets a probe through after its time`()
    async throws
  {
    let breaker = try makeBreaker()
    await fail(breaker, 2)
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    let error = await #expect(throws: CircuitOpenError.self) { try await breaker.run {} }
    #expect(error?.retryAfter == .nanoseconds(1))
    await clock.advance(by: .nanoseconds(1))
    #expect(try await breaker.run { 7 } == 7)
    #expect(states.entries == [.open, .halfOpen, .closed])
    await fail(breaker, 1)
    #expect(breaker.state == .closed)
  }

  @Test func `a probe that fails opens the breaker again`() async throws {
    let breaker = try makeBreaker()
    await fail(breaker, 2)
    await clock.advance(by: .seconds(10))
    await fail(breaker)
    #expect(breaker.state == .open)
    #expect(states.entries == [.open, .halfOpen, .open])
  }

  @Test func `an error that is no failure counts as success`() async throws {
    let breaker = try makeBreaker()
    for _ in 0..<10 {
      await #expect(throws: NotFound.self) { try await breaker.run { throw NotFound() } }
    }
    #expect(breaker.state == .closed)
  }

  @Test(arguments: [
    ConcurrencyLimitError() as any Error, CallThrottledError(),
    QuotaError.deadlineUnreachable(retryAfter: .seconds(1)),
  ])
  func `a call that a limiter inside has refused tells nothing of the service`(error: any Error)
    async throws
  {
    let breaker = try makeBreaker(.failures(1, ofLast: 1, openFor: .seconds(10)))
    _ = try? await breaker.run { throw error }
    #expect(breaker.state == .closed)
    await fail(breaker)
    await clock.advance(by: .seconds(10))
    _ = try? await breaker.run { throw error }
    #expect(breaker.state == .halfOpen)
    try await breaker.run {}
    #expect(breaker.state == .closed)
  }

  @Test func `a slow call counts as failed from the limit on`() async throws {
    for (time, state) in [(4_999_999_999, CircuitState.closed), (5_000_000_000, .open)] {
      let clock = SettableClock()
      let breaker = try CircuitBreaker(
        .failures(1, ofLast: 1, slowerThan: .seconds(5)), clock: clock)
      try await breaker.run { clock.set(.nanoseconds(time)) }
      #expect(breaker.state == state)
    }
  }

  @Test func `a clock that jumps from end to end of its range does not end the process`()
    async throws
  {
    let clock = SettableClock()
    let breaker = try CircuitBreaker(
      .failureRate(percent: 1, over: .seconds(1), minimumCalls: 1, slowerThan: .seconds(1)),
      clock: clock)
    for offset in [Duration.longest, .zero - .longest, .longest, .zero] {
      _ = try? await breaker.run { clock.set(offset) }
      breaker.reset()
      clock.set(.zero - offset)
    }
    #expect(breaker.state == .closed)
  }

  @Test func `a cancelled call does not count, and gives the place of a probe back`() async throws {
    let breaker = try makeBreaker(.failures(1, ofLast: 1, openFor: .seconds(10)))
    await fail(breaker)
    await clock.advance(by: .seconds(10))
    let call = Task { [clock] in try await breaker.run { try await clock.sleep(for: .seconds(60)) }
    }
    try await clock.waitForSleepers(count: 1)
    let refusal = await #expect(throws: CircuitOpenError.self) { try await breaker.run {} }
    #expect(refusal?.retryAfter == nil)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(breaker.state == .halfOpen)
    try await breaker.run {}
    #expect(breaker.state == .closed)
  }

  @Test func `a call that a deadline cancels counts as failed`() async throws {
    let breaker = try makeBreaker(.failures(1, ofLast: 1))
    let call = Task { [clock] in
      try await withDeadline(in: .seconds(1), clock: clock) {
        try await breaker.run { try await clock.sleep(for: .seconds(60)) }
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(1))
    await #expect(throws: DeadlineExpiredError.self) { try await call.value }
    #expect(breaker.state == .open)
  }

  @Test func `a call of the past does not open a breaker that was reset`() async throws {
    let breaker = try makeBreaker(.failures(1, ofLast: 1))
    let call = Task { [clock] in
      try await breaker.run {
        try await clock.sleep(for: .seconds(60))
        throw Failure()
      }
    }
    try await clock.waitForSleepers(count: 1)
    breaker.reset()
    await clock.advance(by: .seconds(60))
    await #expect(throws: Failure.self) { try await call.value }
    #expect(breaker.state == .closed)
  }

  @Test func `an isolated breaker refuses calls until it is reset`() async throws {
    let breaker = try makeBreaker()
    breaker.isolate()
    await clock.advance(by: .seconds(1_000_000))
    let error = await #expect(throws: CircuitOpenError.self) { try await breaker.run {} }
    // No call has failed.
    #expect(error?.description.contains("has been isolated") == true)
    breaker.reset()
    try await breaker.run {}
    #expect(states.entries == [.isolated, .closed])
  }

  @Test func `a breaker that stays as it is tells of no change`() throws {
    let breaker = try makeBreaker()
    breaker.reset()
    breaker.isolate()
    breaker.isolate()
    #expect(states.entries == [.isolated])
  }

  @Test func `a call inside the only probe of the same breaker is refused`() async throws {
    let breaker = try makeBreaker(.failures(1, ofLast: 1, openFor: .seconds(10)))
    await fail(breaker)
    await clock.advance(by: .seconds(10))
    await #expect(throws: CircuitOpenError.self) {
      try await breaker.run { try await breaker.run {} }
    }
    #expect(breaker.state == .open)
  }

  @Test func `the observer of a change may use the breaker`() async throws {
    final class Box: Sendable { let breaker = Log<CircuitBreaker<ContinuousClock>>() }
    let box = Box()
    let breaker = try CircuitBreaker(
      .failures(1, ofLast: 1),
      onEvent: { if case .changed(.open) = $0 { box.breaker.entries.first?.reset() } })
    box.breaker.append(breaker)
    await #expect(throws: Failure.self) { try await breaker.run { throw Failure() } }
    #expect(breaker.state == .closed)
  }

  @Test @MainActor func `the operation runs on the actor of the caller`() async throws {
    var count = 0
    let breaker = try makeBreaker()
    try await breaker.run {
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 1)
  }

  @Test(arguments: [
    (CircuitBreakerPolicy.failures(0, ofLast: 1), "failures"),
    (.failures(2, ofLast: 1), "failures"),
    (.failures(1, ofLast: 0), "calls"), (.failures(1, ofLast: 100_001), "calls"),
    (.failures(1, ofLast: 1, openFor: .zero), "openDuration"),
    (.failures(1, ofLast: 1, probes: 0), "probes"),
    (.failures(1, ofLast: 1, slowerThan: .zero), "slowCall"),
    (.failureRate(percent: 0, over: .seconds(1)), "percent"),
    (.failureRate(percent: 101, over: .seconds(1)), "percent"),
    (.failureRate(percent: 50, over: .nanoseconds(9)), "window"),
    (.failureRate(percent: 50, over: .longest), "window"),
    (.failureRate(percent: 50, over: .seconds(1), minimumCalls: 0), "minimumCalls"),
  ])
  func `a policy with an invalid argument is refused`(policy: CircuitBreakerPolicy, name: String) {
    let error = #expect(throws: InvalidArgumentError.self) { try CircuitBreaker(policy) }
    #expect(error?.argument == name)
  }
}

// MARK: - Replacing the policy

extension CircuitBreakerTests {
  @Test func `another policy holds from the next call on, without the calls of before`()
    async throws
  {
    let breaker = try makeBreaker(.failures(3, ofLast: 3))
    await fail(breaker, 2)
    try breaker.replacePolicy(with: .failures(2, ofLast: 2, openFor: .seconds(5)))
    await fail(breaker, 1)
    #expect(breaker.state == .closed)
    await fail(breaker, 1)
    #expect(breaker.state == .open)
    await clock.advance(by: .seconds(5))
    try await breaker.run {}
    #expect(breaker.state == .closed)
  }

  @Test func `a breaker that is open stays open for the time that it has`() async throws {
    let breaker = try makeBreaker(.failures(1, ofLast: 1, openFor: .seconds(10)))
    await fail(breaker)
    try breaker.replacePolicy(with: .failures(1, ofLast: 1, openFor: .seconds(1)))
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    await #expect(throws: CircuitOpenError.self) { try await breaker.run {} }
    await clock.advance(by: .nanoseconds(1))
    try await breaker.run {}
  }

  @Test func `probes begin anew with another policy, and those of before do not count`()
    async throws
  {
    let breaker = try makeBreaker(.failures(1, ofLast: 1, openFor: .seconds(10), probes: 3))
    await fail(breaker)
    await clock.advance(by: .seconds(10))
    try await breaker.run {}
    try await breaker.run {
      try breaker.replacePolicy(with: .failures(1, ofLast: 1, probes: 1))
    }
    #expect(breaker.state == .halfOpen)
    try await breaker.run {}
    #expect(breaker.state == .closed)
  }

  @Test func `a policy that is not valid is refused, and the breaker keeps its own`() async throws {
    let breaker = try makeBreaker()
    let error = #expect(throws: InvalidArgumentError.self) {
      try breaker.replacePolicy(with: .failures(0, ofLast: 1))
    }
    #expect(error?.argument == "failures")
    #expect(breaker.policy == .failures(2, ofLast: 3, openFor: .seconds(10)))
  }
}
