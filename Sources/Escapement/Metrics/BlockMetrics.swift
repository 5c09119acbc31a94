#if Metrics
  public import Metrics
  import _EscapementCore

  /// The metrics of a block, in the metrics system of the program.
  ///
  /// ```swift
  /// let metrics = BlockMetrics("warehouse")
  /// let limiter = try ConcurrencyLimiter(.fixed(8), onEvent: metrics.record)
  /// try await retry(onFailure: metrics.record) { try await client.stock() }
  /// ```
  ///
  /// The names follow the conventions of OpenTelemetry. Each metric has the dimension
  /// `escapement.block`. It is made with the first value.
  ///
  /// | metric | what it tells |
  /// | --- | --- |
  /// | `escapement.calls` | counter of calls, by `escapement.outcome` and `error.type` |
  /// | `escapement.active_calls` | calls that have begun and not ended |
  /// | `escapement.waiting_calls` | calls that wait |
  /// | `escapement.wait.duration` | timer of the waits that have ended |
  /// | `escapement.permits` | counter of granted permits |
  /// | `escapement.run.lateness` | timer: how late runs of a periodic task begin |
  /// | `escapement.circuit_breaker.state` | 1 for the state of a breaker, and 0 for the others |
  /// | `escapement.store.failures` | counter of decisions that a store has not made |
  /// | `escapement.retry.failures` | counter of failed attempts, by `escapement.retry.next` |
  ///
  /// The outcome is `success`, `error`, `granted`, `refused` or `left`, as in ``BlockEvent``. What is
  /// next is `attempt` or `error`. Blocks may share the metrics of one name, whose values are then
  /// their sums. Make these metrics once, because a metrics system may keep the value of the last one
  /// only.
  ///
  /// A breaker has a metric of its state from the first change on. When changes follow each other at
  /// once, it may be that of the one before, until the next change.
  ///
  /// This type exists with the package trait `Metrics`.
  public final class BlockMetrics: Sendable {
    private let block: String
    private let factory: any MetricsFactory
    private let handles = Lock(Handles())

    private struct Handles {
      var counters: [Instrument: Counter] = [:]
      var meters: [Instrument: Meter] = [:]
      var timers: [Instrument: Timer] = [:]
    }

    /// Creates the metrics of a block.
    ///
    /// - Parameters:
    ///   - block: The value of the dimension `escapement.block`.
    ///   - factory: What makes the metrics; by default that of the metrics system.
    public init(_ block: String, factory: any MetricsFactory = MetricsSystem.factory) {
      self.block = block
      self.factory = factory
    }

    /// Records an event of a block.
    ///
    /// - Complexity: O(1), one lock, and what the metrics system does.
    public func record(_ event: BlockEvent) {
      switch event {
      case .waits:
        meter(.waitingCalls).increment()
      case .waited(let time):
        meter(.waitingCalls).decrement()
        timer(.waitDuration).recordNanoseconds(time.nanosecondsRoundedUp)
      case .late(let time):
        timer(.runLateness).recordNanoseconds(time.nanosecondsRoundedUp)
      case .begun:
        meter(.activeCalls).increment()
      case .ended(let error):
        meter(.activeCalls).decrement()
        counter(.calls(error == nil ? "success" : "error", error.map(ErrorType.init))).increment()
      case .granted(let permits):
        counter(.calls("granted", nil)).increment()
        counter(.permits).increment(by: permits)
      case .refused(let error):
        counter(.calls("refused", ErrorType(error))).increment()
      case .left:
        counter(.calls("left", nil)).increment()
      case .changed(let state):
        for each in CircuitState.allCases { meter(.circuitState(each)).set(each == state ? 1 : 0) }
      case .storeFailed(let error):
        counter(.storeFailures(ErrorType(error))).increment()
      }
    }

    /// Records a failed attempt of a `retry`.
    public func record(_ failure: RetryFailure) {
      let next = failure.delay == nil ? "error" : "attempt"
      counter(.retryFailures(next: next, ErrorType(failure.error))).increment()
    }
  }

  extension BlockMetrics {
    private func counter(_ instrument: Instrument) -> Counter {
      handle(of: instrument, in: \.counters, make: Counter.init(label:dimensions:factory:))
    }

    private func meter(_ instrument: Instrument) -> Meter {
      handle(of: instrument, in: \.meters, make: Meter.init(label:dimensions:factory:))
    }

    private func timer(_ instrument: Instrument) -> Timer {
      handle(of: instrument, in: \.timers, make: Timer.init(label:dimensions:factory:))
    }

    /// The factory is called outside of the lock; of two handles that are made at once, one is kept.
    private func handle<Handle: Sendable>(
      of instrument: Instrument, in table: WritableKeyPath<Handles, [Instrument: Handle]>,
      make: (String, [(String, String)], any MetricsFactory) -> Handle
    ) -> Handle {
      if let known = handles.withLock({ $0[keyPath: table][instrument] }) { return known }
      let dimensions = [("escapement.block", block)] + instrument.dimensions
      let new = make(instrument.label, dimensions, factory)
      return handles.withLock { handles in
        if let known = handles[keyPath: table][instrument] { return known }
        handles[keyPath: table][instrument] = new
        return new
      }
    }
  }

  /// The type of an error, whose name is made only for a new metric.
  private struct ErrorType: Hashable {
    private let type: any Error.Type

    init(_ error: any Error) { type = Swift.type(of: error) }

    var name: String { "\(type)" }

    static func == (a: Self, b: Self) -> Bool { a.type == b.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
  }

  /// A metric, and what sets its values apart.
  private enum Instrument: Hashable {
    case calls(_ outcome: String, ErrorType?)
    case activeCalls, waitingCalls, waitDuration, permits, runLateness
    case circuitState(CircuitState)
    case storeFailures(ErrorType)
    case retryFailures(next: String, ErrorType)

    var label: String {
      switch self {
      case .calls: "escapement.calls"
      case .activeCalls: "escapement.active_calls"
      case .waitingCalls: "escapement.waiting_calls"
      case .waitDuration: "escapement.wait.duration"
      case .permits: "escapement.permits"
      case .runLateness: "escapement.run.lateness"
      case .circuitState: "escapement.circuit_breaker.state"
      case .storeFailures: "escapement.store.failures"
      case .retryFailures: "escapement.retry.failures"
      }
    }

    var dimensions: [(String, String)] {
      switch self {
      case .calls(let outcome, let error):
        [("escapement.outcome", outcome)] + (error.map { [("error.type", $0.name)] } ?? [])
      case .circuitState(let state): [("escapement.circuit_breaker.state", "\(state)")]
      case .storeFailures(let error): [("error.type", error.name)]
      case .retryFailures(let next, let error):
        [("escapement.retry.next", next), ("error.type", error.name)]
      case .activeCalls, .waitingCalls, .waitDuration, .permits, .runLateness: []
      }
    }
  }
#endif
