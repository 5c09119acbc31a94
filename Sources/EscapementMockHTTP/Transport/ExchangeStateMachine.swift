import EscapementClocks
import EscapementVirtualTime

/// The decisions of a request on its way: whether it has started, and whether it is over.
struct ExchangeStateMachine {
  typealias Waiter = UnsafeContinuation<Void, Never>

  private enum Phase {
    /// Foundation has made it, and not started it.
    case created
    case started(LoadingClient)
    /// The client has got its answer, or does not want it any more.
    case over
  }

  /// What Foundation's call to stop means.
  enum Stop {
    /// The client has cancelled the request.
    case cancelled
    /// The answer is on its way already: the client must not be told anything else.
    case tooLate
    /// The request is suspended, which does not stop an answer.
    case nothing
  }

  private var phase = Phase.created
  /// Who waits for the next phase: the task of the exchange.
  private var waiter: Waiter?
  /// The task of the exchange.
  var task: Task<Void, Never>?
  /// The request as the stubs see it, after it has arrived.
  var arrival: HTTPStubTable.Arrival?
  /// Whom the virtual-time scope asks, so that it hears of a cancellation in time.
  var outsider: Outsider?
  /// When something was last sent; a timeout counts from then.
  var lastActivity: AnyClock<Duration>.Instant?

  var client: LoadingClient? {
    if case .started(let client) = phase { client } else { nil }
  }

  var isOver: Bool {
    if case .over = phase { true } else { false }
  }

  /// Foundation wants an answer; `nil` if it has wanted one before, and the request was suspended.
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

  /// The last of the answer goes out; returns the client, unless it is over already.
  mutating func end() -> (LoadingClient?, Waiter?) {
    guard case .started(let client) = phase else { return (nil, nil) }
    phase = .over
    return (client, takeWaiter())
  }

  /// Waits for the start, or for the end; `false` if there is nothing to wait for.
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

  mutating func takeOutsider() -> Outsider? {
    defer { outsider = nil }
    return outsider
  }

  private mutating func takeWaiter() -> Waiter? {
    defer { waiter = nil }
    return waiter
  }
}
