#if Metrics
  public import Metrics
  import _EscapementCore

  /// The metrics of a block, in the metrics system of the program.
  ///
  /// ```swift
  /// let metrics = BlockMetrics("warehouse")
  /// let limiter = try ConcurrencyLimiter(.fixed(8), onEvent: metrics.record)
  /// try await retry(onAttempt: metrics.record) { try await client.stock() }
  /// ```
  ///
  /// The names follow the conventions of OpenTelemetry. Each metric has the dimension
  /// `escapement.block`. It is made with the first value.
  ///
  /// | metric | unit | what it tells |
  /// | --- | --- | --- |
  /// | `escapement.calls` | calls | counter, by `escapement.outcome` and `error.type` |
  /// | `escapement.active_calls` | calls | those that have begun and not ended |
  /// | `escapement.waiting_calls` | calls | those that wait |
  /// | `escapement.wait.duration` | ns | timer of the waits that have ended |
  /// | `escapement.permits` | permits | counter of granted permits |
  /// | `escapement.run.lateness` | ns | timer: how late runs of a periodic task begin |
  /// | `escapement.circuit_breaker.state` | 0, 1 | 1 for the state of a breaker |
  /// | `escapement.store.failures` | decisions | counter of those that a store has not made, by `error.type` |
  /// | `escapement.lease.losses` | leases | counter of leases that were lost |
  /// | `escapement.retry.attempts` | attempts | counter, by outcome, `error.type` and `escapement.retry.next` |
  /// | `escapement.hedges` | attempts | counter of further attempts of hedged calls |
  /// | `escapement.faults` | faults | counter of faults on purpose, by `escapement.fault` |
  ///
  /// A timer of swift-metrics records nanoseconds. Its backend converts them to the unit that it
  /// exports, which is seconds in OpenTelemetry. A lease that this process holds is an active call.
  ///
  /// The outcome is `success`, `error`, `granted`, `refused` or `left`, as in ``BlockEvent``. After an
  /// attempt, the next step is another `attempt`, a `result` or an `error`. Without an error,
  /// `error.type` is empty. Blocks may share the metrics of one name, whose values are then their
  /// sums; the state of a breaker is that of the last change. Make these metrics once, after
  /// `MetricsSystem.bootstrap`, because a metrics system may keep the value of the last one only.
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
      case .lost:
        counter(.leaseLosses).increment()
      case .hedged:
        counter(.hedges).increment()
      case .injected(let fault):
        counter(.faults(fault.kindName)).increment()
      }
    }

    /// Records an attempt of a `retry`.
    public func record(_ attempt: RetryAttempt) {
      let next = attempt.delay != nil ? "attempt" : attempt.error == nil ? "result" : "error"
      counter(.retryAttempts(next: next, attempt.error.map(ErrorType.init))).increment()
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
      // Errors of several types may have one name.
      let twin = handles.withLock { handles in
        handles[keyPath: table].first { $0.key.isSame(as: instrument) }?.value
      }
      let dimensions = [("escapement.block", block)] + instrument.dimensions
      let new = twin ?? make(instrument.label, dimensions, factory)
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
    case retryAttempts(next: String, ErrorType?)
    case leaseLosses, hedges
    case faults(_ kind: String)

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
      case .retryAttempts: "escapement.retry.attempts"
      case .leaseLosses: "escapement.lease.losses"
      case .hedges: "escapement.hedges"
      case .faults: "escapement.faults"
      }
    }

    var dimensions: [(String, String)] {
      switch self {
      case .calls(let outcome, let error):
        [("escapement.outcome", outcome)] + type(of: error)
      case .circuitState(let state): [("escapement.circuit_breaker.state", "\(state)")]
      case .storeFailures(let error): type(of: error)
      case .retryAttempts(let next, let error):
        [
          ("escapement.outcome", error == nil ? "success" : "error"),
          ("escapement.retry.next", next),
        ] + type(of: error)
      case .faults(let kind): [("escapement.fault", kind)]
      case .activeCalls, .waitingCalls, .waitDuration, .permits, .runLateness, .leaseLosses,
        .hedges:
        []
      }
    }

    /// Whether both have the name and the dimensions of one metric.
    func isSame(as other: Self) -> Bool {
      label == other.label && dimensions.elementsEqual(other.dimensions, by: ==)
    }

    /// The metrics of a name have the same dimensions: some releases of swift-prometheus end the
    /// process otherwise.
    private func type(of error: ErrorType?) -> [(String, String)] {
      [("error.type", error?.name ?? "")]
    }
  }
#endif
