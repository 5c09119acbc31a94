import CVirtualTime
public import _EscapementCore

/// The handle of a virtual-time scope, which reads the scope's time and moves it.
///
/// The handle is a `Clock`, so it can be injected into code that takes one. Its instants count
/// whole nanoseconds since the scope began.
///
/// Use the handle only inside the scope. After the scope has ended, `now` no longer changes, a
/// sleep throws ``VirtualTimeError/scopeEnded``, and an attempt to move time is reported as an
/// issue.
public final class VirtualTime: Clock, Identifiable, Sendable {
  /// A point in time of a scope.
  ///
  /// Sums and differences saturate: they stay at the end of the range and never trap.
  public struct Instant: OffsetInstant, Codable {
    /// Virtual time is measured in durations of the standard library.
    public typealias Duration = Swift.Duration

    /// The time since the scope began.
    public let offset: Duration

    /// Creates an instant from the time since the scope began.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The offset, as it appears in messages.
    public var description: String { "+\(offset)" }

    init(_ nanoseconds: Nanoseconds) { self.init(offset: nanoseconds.duration) }

    var nanoseconds: Nanoseconds { Nanoseconds(roundingUp: offset) }
  }

  let scope: Scope

  init(_ scope: Scope) { self.scope = scope }

  /// The handle of the scope that the calling task belongs to, or `nil` outside all scopes.
  ///
  /// ``required`` throws an error instead, which says what the test lacks.
  public static var current: VirtualTime? {
    cvt_baton_come_back()
    return Scope.current.map(VirtualTime.init)
  }

  /// The handle of the scope that the calling task belongs to.
  ///
  /// ```swift
  /// let time = try VirtualTime.required
  /// await time.advance(by: .seconds(60))
  /// ```
  ///
  /// - Throws: ``VirtualTimeError/outsideScope`` outside all scopes. Its message names the trait.
  public static var required: VirtualTime {
    get throws(VirtualTimeError) {
      guard let current else { throw .outsideScope }
      return current
    }
  }

  /// The identity of the scope, since handles of the same scope are the same clock.
  public var id: ObjectIdentifier { ObjectIdentifier(scope) }

  /// The present instant, which only changes while the caller waits.
  public var now: Instant { Instant(scope.nowOrAtEnd) }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  // Concurrent, like the requirement of the protocol. So a loop that ignores its cancellation still
  // suspends.
  /// Suspends the task until the deadline.
  ///
  /// Returns at once if the deadline has been reached. A deadline beyond the range of the clock,
  /// 292 years, is never reached.
  ///
  /// - Parameters:
  ///   - deadline: When to wake.
  ///   - tolerance: How late the sleep may be, which is drawn while schedules are explored. Else
  ///     virtual time is exact.
  /// - Throws: `CancellationError` when the task is cancelled, before or while it sleeps;
  ///   ``VirtualTimeError/scopeEnded`` after the scope's end.
  @concurrent public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scope.sleep(until: scope.late(deadline.nanoseconds, tolerance))
  }
}

// MARK: - Sleeping

extension Scope: SleepHost {
  func arm(until deadline: Nanoseconds) throws -> TimerToken? {
    let now = nowOrAtEnd
    let timer = SleepTimer(.sleeper(Sleeper()), on: .injected, armedAt: now)
    guard deadline > now else { return nil }
    guard let armed = arm(timer, until: deadline) else { throw VirtualTimeError.scopeEnded }
    return armed
  }

  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
    state.withLock { state in
      state.time.sleepers.replaceWakeup(of: token, by: .sleeper(Sleeper(continuation)))
    }
  }

  func cancel(_ token: TimerToken) -> Sleeper? {
    guard let timer = state.withLock({ $0.time.sleepers.remove(token) }),
      case .sleeper(let sleeper) = timer.wakeup
    else { return nil }
    recorder?.sleepCancelled(timer.task, at: now)
    return sleeper
  }
}
