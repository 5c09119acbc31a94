import EscapementClocks
import EscapementVirtualTime

/// The state machine of an exchange: whether it has started, and whether it is over.
struct ExchangeStateMachine {
  typealias Waiter = UnsafeContinuation<Void, Never>

  private enum Phase {
    /// Foundation has created the exchange, but not started it.
    case created
    case started(LoadingClient)
    /// The client has got its answer, or has cancelled the request.
    case over
  }

  /// The meaning of a call of `stopLoading()`.
  enum Stop {
    /// The client has cancelled the request.
    case cancelled
    /// The answer is being sent. The client must not be told anything else.
    case tooLate
    /// The request was suspended, which does not stop an answer.
    case nothing
  }

  private var phase = Phase.created
  /// The task of the exchange, while it waits for the next phase.
  private var waiter: Waiter?
  /// The task of the exchange.
  var task: Task<Void, Never>?
  /// The request as the stubs see it; set when it has arrived there.
  var arrival: HTTPStubTable.Arrival?
  /// The virtual-time scope consults it, so that a cancellation takes effect before time moves.
  var externalSource: ExternalSource?
  /// The last time at which something was sent.
  ///
  /// A timeout counts from then.
  var lastActivity: AnyClock<Duration>.Instant?

  var client: LoadingClient? {
    if case .started(let client) = phase { client } else { nil }
  }

  var isOver: Bool {
    if case .over = phase { true } else { false }
  }

  /// Foundation starts to load.
  ///
  /// This is not the first start if the request was suspended.
  mutating func start(_ client: LoadingClient) -> (isFirst: Bool, waiter: Waiter?) {
    guard case .created = phase else { return (false, nil) }
    phase = .started(client)
    return (true, takeWaiter())
  }

  mutating func stop(isSuspended: Bool) -> (Stop, Waiter?) {
    switch phase {
    case .over: return (.tooLate, nil)
    case .created, .started:
      if isSuspended { return (.nothing, nil) }
      phase = .over
      return (.cancelled, takeWaiter())
    }
  }

  /// The last part is about to be sent.
  ///
  /// Returns the client, unless the exchange is over.
  mutating func end() -> (LoadingClient?, Waiter?) {
    guard case .started(let client) = phase else { return (nil, nil) }
    phase = .over
    return (client, takeWaiter())
  }

  /// Waits for the start or the end.
  ///
  /// Returns `false` if it has come already.
  mutating func wait(forEnd: Bool, _ waiter: Waiter) -> Bool {
    switch phase {
    case .created:
      self.waiter = waiter
      return true
    case .started:
      guard forEnd else { return false }
      self.waiter = waiter
      return true
    case .over:
      return false
    }
  }

  mutating func takeExternalSource() -> ExternalSource? {
    defer { externalSource = nil }
    return externalSource
  }

  private mutating func takeWaiter() -> Waiter? {
    defer { waiter = nil }
    return waiter
  }
}
