import _EscapementCore

/// Refuses a part of the calls of a service that has too much to do, before they cost it anything.
///
/// ```swift
/// let throttle = try AdaptiveThrottle(countingAsRejection: { !($0 is NotFoundError) })
/// let price = try await throttle.run { try await shop.price(of: article) }
/// ```
///
/// A service must do something even for a call that it rejects. If all clients go on as before, it
/// may do nothing else. The throttle lets through about `multiplier` calls for each one that the
/// service has accepted of late: all as long as it accepts all, and some always, so that it notices
/// when the service has recovered. In contrast to ``CircuitBreaker``, it refuses only as much as is
/// too much.
///
/// A call is refused with the probability `max(0, (calls - multiplier * accepted) / (calls + 1))`;
/// the calls of the window with those that were refused here. This is the client-side throttling of
/// Google's *Site Reliability Engineering* (2016), chapter 21.
///
/// - After an outage that is as long as the window, it takes some windows until nine of ten calls
///   are let through again: about five with 100 calls in a second, and about nine with 10,000.
/// - A call that is cancelled while it is performed does not count. If a deadline has cancelled it,
///   it counts as rejected.
/// - If the clock moves backwards, the time of the throttle stands still.
///
/// - Complexity: O(1) for each call.
public final class AdaptiveThrottle<C: Clock<Duration>>: Sendable {
  private let clock: C
  private let origin: C.Instant
  private let isRejection: @Sendable (any Error) -> Bool
  private let observer: EventObserver
  private let state: Lock<ThrottleState>

  /// Creates a throttle that lets all calls through.
  ///
  /// - Parameters:
  ///   - multiplier: How many calls are let through for each one that was accepted; from 1.1 to
  ///     1,000. With less than 2, the service has less to reject, and the throttle takes longer to
  ///     notice that it has recovered: with 1.1, twenty windows and more.
  ///   - window: For how long calls count; at least 10 nanoseconds, at most 95 years. It moves in
  ///     steps of a tenth of its length.
  ///   - clock: The clock that measures the time.
  ///   - isRejection: Whether an error means that the service has too much to do; by default each
  ///     does. Other errors, such as "not found", count as accepted.
  ///   - onEvent: Called for each event of a call.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(
    multiplier: Double = 2, over window: Duration = .seconds(30), clock: C = ContinuousClock(),
    countingAsRejection isRejection: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    state = Lock(try ThrottleState(multiplier: multiplier, window: window))
    self.clock = clock
    self.isRejection = isRejection
    observer = EventObserver(onEvent)
    origin = clock.now
  }

  /// The probability with which the next call is refused, from 0 to less than 1.
  public var refusalProbability: Double {
    let now = now
    return state.withLock { $0.refusalProbability(at: now) }
  }

  /// Goes on with other numbers, for example after the configuration has changed.
  ///
  /// Calls that were counted are forgotten, so all calls are let through at first.
  ///
  /// - Parameters:
  ///   - multiplier: How many calls are let through for each one that was accepted.
  ///   - window: For how long calls count.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public func replace(
    multiplier: Double, over window: Duration
  ) throws(InvalidArgumentError) {
    let new = try ThrottleState(multiplier: multiplier, window: window)
    state.withLock { $0 = new }
  }

  /// Performs an operation, unless it is refused, and counts its outcome.
  ///
  /// The operation runs in the task of the caller, on its actor.
  ///
  /// - Parameter operation: The call of the service.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation, or ``CallThrottledError`` if it was not performed.
  nonisolated(nonsending) public func run<Return: ~Copyable>(
    operation: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    try begin()
    do {
      let result = try await operation()
      end(nil, isAccepted: true)
      return result
    } catch {
      let isCancelled = error is CancellationError || Task.isCancelled
      if !isCancelled {
        end(error, isAccepted: !isRejection(error))
      } else {
        end(error, isAccepted: Task.cancellationReason == .deadlineExpired ? false : nil)
      }
      throw error
    }
  }
}

extension AdaptiveThrottle {
  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  /// Begins a call, or refuses it.
  package func begin() throws(CallThrottledError) {
    let probability = refusalProbability
    guard probability > 0, Double.random(in: 0..<1) < probability else {
      return observer.tell(.begun)
    }
    add(isAccepted: false)
    observer.tell(.refused(CallThrottledError()))
    throw CallThrottledError()
  }

  /// Ends a call; `isAccepted` is `nil` if it does not tell whether the service has accepted it.
  package func end(_ error: (any Error)?, isAccepted: Bool?) {
    observer.tell(.ended(error))
    if let isAccepted { add(isAccepted: isAccepted) }
  }

  private func add(isAccepted: Bool) {
    let now = now
    state.withLock { $0.counts.add(isMarked: isAccepted, at: now) }
  }
}

/// Not nested, because access to a type of a generic one takes longer.
private struct ThrottleState {
  let multiplier: Double
  /// Calls that are marked were accepted.
  var counts: SlidingCounts

  init(multiplier: Double, window: Duration) throws(InvalidArgumentError) {
    guard 1.1...1_000 ~= multiplier else {
      throw InvalidArgumentError("multiplier", multiplier, mustBe: "between 1.1 and 1,000")
    }
    guard .nanoseconds(10) ... .seconds(3_000_000_000) ~= window else {
      throw InvalidArgumentError("window", window, mustBe: "between 10 nanoseconds and 95 years")
    }
    self.multiplier = multiplier
    counts = SlidingCounts(window: window.wholeNanoseconds)
  }

  mutating func refusalProbability(at now: Int64) -> Double {
    counts.forget(at: now)
    let (calls, accepted) = (Double(counts.total.calls), Double(counts.total.marked))
    return max(0, (calls - multiplier * accepted) / (calls + 1))
  }
}

/// A throttle has refused a call, because the service has rejected too many others.
public struct CallThrottledError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates an error, for a test or a throttle of your own.
  public init() {}

  /// The event, and the remedy.
  public var description: String {
    """
    The throttle has refused the call, because the service has rejected many others of late. Try again later, or use a \
    fallback.
    """
  }
}
