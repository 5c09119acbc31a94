import _EscapementCore

/// The deadlines around the current task.
///
/// Unchecked because an `AnyHashable` is not `Sendable`. The identifiers are those of clocks, which are
/// `Sendable`, and are only compared.
struct ActiveDeadlines: @unchecked Sendable {
  @TaskLocal static var current = ActiveDeadlines()

  private struct Deadline {
    /// `nil` if the clock has no identity.
    let clock: AnyHashable?
    let instant: any InstantProtocol
    let expiry: DeadlineExpiry
  }

  private var deadlines: [Deadline] = []

  var isEmpty: Bool { deadlines.isEmpty }

  /// Whether one of the deadlines has cancelled its operation.
  var hasExpired: Bool { deadlines.contains { $0.expiry.hasHappened } }

  /// These deadlines and an inner one.
  func adding<C: Clock>(
    _ instant: C.Instant, of clock: C, expiry: DeadlineExpiry
  ) -> ActiveDeadlines {
    var all = self
    all.deadlines.append(Deadline(clock: identifier(of: clock), instant: instant, expiry: expiry))
    return all
  }

  /// The earliest deadline of a clock.
  func earliest<C: Clock>(for clock: C) -> C.Instant? {
    guard !isEmpty, let id = identifier(of: clock) else { return nil }
    return deadlines.lazy.filter { $0.clock == id }.compactMap { $0.instant as? C.Instant }.min()
  }
}

/// Whether a deadline has expired before its operation ended.
final class DeadlineExpiry: Sendable {
  private let state = Lock(false)

  var hasHappened: Bool { state.withLock { $0 } }

  func happen() { state.withLock { $0 = true } }
}

/// What tells a clock from the other clocks of its type, or `nil` if there is nothing.
private func identifier<C: Clock>(of clock: C) -> AnyHashable? {
  // All clocks without stored properties, such as the standard ones, are equal.
  if MemoryLayout<C>.size == 0 { return AnyHashable(ObjectIdentifier(C.self)) }
  if let clock = clock as? any Identifiable { return identifier(of: clock) }
  return C.self is AnyObject.Type ? AnyHashable(ObjectIdentifier(clock as AnyObject)) : nil
}

private func identifier(of clock: some Identifiable) -> AnyHashable { AnyHashable(clock.id) }
