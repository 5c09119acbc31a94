import CVirtualTime
import _EscapementCore

/// The handle of a virtual-time scope: it tells the scope's time and moves it.
///
/// It is a `Clock`, so that it can be injected where a clock is wanted. Its instants are whole
/// nanoseconds since the scope began.
///
/// Use it inside the scope only. Afterwards time stands for ever: `now` stays, a sleep throws
/// ``VirtualTimeError/scopeEnded``, and moving time is reported as an issue.
public final class VirtualTime: Clock, Identifiable, Sendable {
  /// A moment of a scope.
  ///
  /// Sums and differences stay at the end of the range, the number of seconds that fits an `Int64`,
  /// and never trap.
  public struct Instant: InstantProtocol, Hashable, Codable, CustomStringConvertible {
    /// The time since the scope began.
    public let offset: Duration

    /// Creates an instant from the time since the scope began.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The instant that is so much later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: Saturating.sum(offset, duration))
    }

    /// How much later the other instant is.
    public func duration(to other: Instant) -> Duration {
      Saturating.difference(other.offset, offset)
    }

    /// Whether one instant is earlier than the other.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }

    /// The offset, as it appears in messages.
    public var description: String { "+\(offset)" }

    init(_ nanoseconds: Nanoseconds) { self.init(offset: nanoseconds.duration) }

    var nanoseconds: Nanoseconds { Nanoseconds(roundingUp: offset) }
  }

  let scope: Scope

  init(_ scope: Scope) { self.scope = scope }

  /// The scope that runs the caller, if there is one.
  public static var current: VirtualTime? { Scope.current.map(VirtualTime.init) }

  /// The scope's identity: handles of the same scope are the same clock.
  public var id: ObjectIdentifier { ObjectIdentifier(scope) }

  /// The present instant; inside the scope it only changes while the caller waits.
  public var now: Instant { Instant(scope.now) }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  // Concurrent, as it is through the protocol: a loop that ignores its cancellation then suspends.
  /// Suspends the task until the deadline.
  ///
  /// Returns at once when the deadline has been reached. A deadline beyond the range of the clock,
  /// 292 years, does not come.
  ///
  /// - Parameters:
  ///   - deadline: When to wake.
  ///   - tolerance: Is ignored: virtual time is exact.
  /// - Throws: `CancellationError` when the task is cancelled, before or while it sleeps;
  ///   ``VirtualTimeError/scopeEnded`` after the scope's end.
  @concurrent public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scope.sleep(until: deadline.nanoseconds)
  }
}

// MARK: - Sleeping

extension Scope: SleepHost {
  func arm(until deadline: Nanoseconds) throws -> TimerToken? {
    let now = now
    let timer = SleepTimer(.sleeper(Sleeper()), armedAt: now)
    guard deadline > now else { return nil }
    guard let armed = arm(timer, until: deadline) else { throw VirtualTimeError.scopeEnded }
    return armed
  }

  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
    state.withLock { state in
      state.timers.update(token) { $0.wakeup = .sleeper(Sleeper(continuation)) }
    }
  }

  func cancel(_ token: TimerToken) -> Sleeper? {
    guard case .sleeper(let sleeper) = state.withLock({ $0.timers.remove(token) })?.wakeup else {
      return nil
    }
    return sleeper
  }
}
