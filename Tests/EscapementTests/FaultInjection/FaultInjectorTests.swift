import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@Suite(.virtualTime) struct FaultInjectorTests {
  private struct Unavailable: Error, Equatable {
    var code = 0
  }

  @Test func `without faults, a call is performed as it is`() async throws {
    let injector = FaultInjector()
    #expect(try await injector.run { 1 } == 1)
    let other = try await injector.run {
      1
    } outcome: {
      2
    }
    #expect(other == 1)
    await #expect(throws: Unavailable(code: 1)) {
      try await injector.run { throw Unavailable(code: 1) }
    }
  }

  @Test func `a fault comes in the place of the call, from when it is set until it is taken back`()
    async throws
  {
    let injector = FaultInjector(clock: TestClock())
    let calls = Log<Void>()
    injector.faults = [try .error(Unavailable(code: 2), share: 1)]
    await #expect(throws: Unavailable(code: 2)) {
      try await injector.run { calls.append(()) }
    }
    #expect(calls.count == 0)
    injector.faults = []
    try await injector.run { calls.append(()) }
    #expect(calls.count == 1)
  }

  @Test func `another outcome comes only where the call has one`() async throws {
    let injector = FaultInjector([try .outcome(share: 1)])
    #expect(try await injector.run { 1 } == 1)
    let result = try await injector.run {
      1
    } outcome: {
      2
    }
    #expect(result == 2)
  }

  @Test(.virtualStandardClocks) func `a latency comes first, within its range`() async throws {
    let injector = FaultInjector([
      try .latency(.seconds(1)...(.seconds(3)), share: 1), try .error(Unavailable(), share: 1),
    ])
    var latencies: Set<Duration> = []
    for _ in 0..<100 {
      let start = ContinuousClock.now
      await #expect(throws: Unavailable()) { try await injector.run {} }
      latencies.insert(ContinuousClock.now - start)
    }
    #expect(latencies.count > 90)
    #expect(latencies.allSatisfy { (.seconds(1))...(.seconds(3)) ~= $0 })
  }

  @Test(.virtualStandardClocks) func `a latency ends when the task is cancelled`() async throws {
    let injector = FaultInjector([try .latency(.seconds(9)...(.seconds(9)), share: 1)])
    let start = ContinuousClock.now
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(in: .seconds(2)) { try await injector.run {} }
    }
    #expect(ContinuousClock.now - start == .seconds(2))
  }

  @Test func `a fault comes in its share of the calls`() async throws {
    let faults = Log<String>()
    let injector = FaultInjector([try .error(Unavailable(), share: 0.25)]) {
      faults.append("\($0)")
    }
    for _ in 0..<4_000 { try? await injector.run {} }
    // It is further away in one run of a trillion.
    #expect(800...1_200 ~= faults.count)
    #expect(faults.entries.first == "injected(the error Unavailable(code: 0) in 0.25 of the calls)")
  }

  @Test func `no call has a fault with a share of 0`() async throws {
    let injector = FaultInjector([try .error(Unavailable(), share: 0)])
    for _ in 0..<1_000 { try await injector.run {} }
  }

  @Test(arguments: [-0.001, 1.001, .nan, .infinity]) func `a share is from 0 to 1`(share: Double) {
    #expect(throws: InvalidArgumentError.self) { try InjectedFault.outcome(share: share) }
    #expect(throws: InvalidArgumentError.self) {
      try InjectedFault.error(Unavailable(), share: share)
    }
  }

  @Test func `a latency is not negative`() throws {
    _ = try InjectedFault.latency(.zero...(.longest), share: 1)
    #expect(throws: InvalidArgumentError.self) {
      try InjectedFault.latency(.nanoseconds(-1)...(.zero), share: 1)
    }
  }
}
