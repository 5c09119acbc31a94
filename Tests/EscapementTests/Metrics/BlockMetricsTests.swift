#if Metrics
  import CoreMetrics
  import Escapement
  import EscapementTesting
  import MetricsTestKit
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct BlockMetricsTests {
    private struct Failure: Error {}

    private let factory = TestMetrics()
    private var metrics: BlockMetrics { BlockMetrics("warehouse", factory: factory) }

    private func dimensions(_ others: (String, String)...) -> [(String, String)] {
      [("escapement.block", "warehouse")] + others
    }

    private func calls(_ outcome: String, _ error: String? = nil) -> Int64 {
      factory.counterTotal(
        label: "escapement.calls",
        dimensions: dimensions(("escapement.outcome", outcome), ("error.type", error ?? "")))
    }

    private func meter(_ label: String) throws -> Double? {
      try factory.expectMeter(label, dimensions()).lastValue
    }

    @Test func `a limiter counts calls that run, wait, end and are refused`() async throws {
      let limiter = try ConcurrencyLimiter(
        .fixed(1), maximumWaiting: 1, onEvent: metrics.record)
      let tasks = (1...2).map { _ in
        Task { try await limiter.run { try await Task.sleep(for: .seconds(2)) } }
      }
      await VirtualTime.current?.settle()
      await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
      #expect(try meter("escapement.active_calls") == 1)
      #expect(try meter("escapement.waiting_calls") == 1)
      for task in tasks { try await task.value }
      await #expect(throws: Failure.self) { try await limiter.run { throw Failure() } }
      #expect(try meter("escapement.active_calls") == 0)
      #expect(try meter("escapement.waiting_calls") == 0)
      #expect(calls("success") == 2)
      #expect(calls("error", "Failure") == 1)
      #expect(calls("refused", "ConcurrencyLimitError") == 1)
      let waits = try factory.expectTimer("escapement.wait.duration", dimensions())
      #expect(waits.values == [2_000_000_000])
    }

    @Test func `the metrics of a name have the same dimensions`() {
      let metrics = metrics
      for event in [
        .ended(nil), .ended(Failure()), .granted(1), .refused(Failure()), .left,
      ] as [BlockEvent] {
        metrics.record(event)
      }
      for error in [Failure(), nil] {
        metrics.record(RetryAttempt(number: 1, error: error, delay: nil, elapsed: .zero))
      }
      for label in ["escapement.calls", "escapement.retry.attempts"] {
        let names = Set(
          factory.counters.filter { $0.label == label }.map { $0.dimensions.map(\.0) })
        #expect(names.count == 1, "\(names)")
      }
    }

    @Test func `errors of one name share a metric`() {
      enum Shop { struct Failure: Error {} }
      let factory = CountingFactory()
      let metrics = BlockMetrics("warehouse", factory: factory)
      for error in [Failure(), Shop.Failure(), Failure(), Shop.Failure()] as [any Error] {
        metrics.record(.refused(error))
      }
      #expect(factory.labels.entries == ["escapement.calls"])
    }

    @Test func `a quota counts its permits`() throws {
      let limiter = try QuotaLimiter(
        .slidingWindow(limit: 3, per: .seconds(10)), onEvent: metrics.record)
      for permits in [2, 2, 1] { _ = try limiter.tryAcquire(permits) }
      #expect(calls("granted") == 2)
      #expect(calls("refused", "QuotaError") == 1)
      #expect(factory.counterTotal(label: "escapement.permits", dimensions: dimensions()) == 3)
    }

    @Test func `the state of a breaker is one, and the others are zero`() async throws {
      let breaker = try CircuitBreaker(.failures(1, ofLast: 1), onEvent: metrics.record)
      _ = try? await breaker.run { throw Failure() }
      for state in CircuitState.allCases {
        let value = try factory.expectMeter(
          "escapement.circuit_breaker.state",
          dimensions(("escapement.circuit_breaker.state", "\(state)")))
        #expect(value.lastValue == (state == .open ? 1 : 0))
      }
    }

    @Test func `a retry counts attempts by their outcome, and by what is next`() async throws {
      let metrics = metrics
      _ = try? await retry(maximumAttempts: 3, onAttempt: metrics.record) { throw Failure() }
      try await retry(onAttempt: metrics.record) {}
      for (next, count) in [("attempt", 2), ("error", 1), ("result", 1)] as [(String, Int64)] {
        let isSuccess = next == "result"
        let outcome = ("escapement.outcome", isSuccess ? "success" : "error")
        let error = isSuccess ? [] : [("error.type", "Failure")]
        let total = factory.counterTotal(
          label: "escapement.retry.attempts",
          dimensions: dimensions(outcome, ("escapement.retry.next", next)) + error)
        #expect(total == count)
      }
    }

    @Test func `leases that are held and lost, hedges and faults are metrics`() async throws {
      let metrics = metrics
      let lease = try Lease("reports", store: InMemoryStore(), onEvent: metrics.record)
      let held = try await lease.run { _ in try meter("escapement.active_calls") }
      #expect(held == 1)
      #expect(try meter("escapement.active_calls") == 0)
      metrics.record(.lost)
      metrics.record(.hedged(attempt: 2))
      for fault in [try InjectedFault.outcome(share: 1), try .error(Failure(), share: 1)] {
        metrics.record(.injected(fault))
      }
      for (label, others) in [
        ("escapement.lease.losses", []), ("escapement.hedges", []),
        ("escapement.faults", [("escapement.fault", "outcome")]),
        ("escapement.faults", [("escapement.fault", "error")]),
      ] as [(String, [(String, String)])] {
        #expect(factory.counterTotal(label: label, dimensions: dimensions() + others) == 1)
      }
    }

    @Test func `the lateness of a run, and a store that fails, are metrics`() throws {
      metrics.record(.late(.milliseconds(3)))
      metrics.record(.storeFailed(Failure()))
      metrics.record(.left)
      let lateness = try factory.expectTimer("escapement.run.lateness", dimensions())
      #expect(lateness.values == [3_000_000])
      #expect(calls("left") == 1)
      let failures = factory.counterTotal(
        label: "escapement.store.failures", dimensions: dimensions(("error.type", "Failure")))
      #expect(failures == 1)
    }

    @Test func `a metric is made once, with its first value`() {
      let metrics = metrics
      #expect(factory.counters.isEmpty)
      for _ in 1...3 { metrics.record(.granted(1)) }
      #expect(factory.counters.count == 2)
    }
  }

  /// Makes another handle each time, and notes the labels.
  private struct CountingFactory: MetricsFactory {
    let labels = Log<String>()

    private func handle(_ label: String) -> NOOPMetricsHandler {
      labels.append(label)
      return .instance
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      handle(label)
    }
    func makeRecorder(
      label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { handle(label) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      handle(label)
    }
    func destroyCounter(_: any CounterHandler) {}
    func destroyRecorder(_: any RecorderHandler) {}
    func destroyTimer(_: any TimerHandler) {}
  }
#endif
