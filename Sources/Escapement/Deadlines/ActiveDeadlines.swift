import _EscapementCore

/// The deadlines around the current task.
///
/// Unchecked because an `AnyHashable` is not `Sendable`. The identifiers are those of clocks, which
/// are `Sendable`, and are only compared.
struct ActiveDeadlines: @unchecked Sendable {
  @TaskLocal static var current = ActiveDeadlines()

  private struct Deadline {
    /// `nil` if the clock has no identity.
    let clock: AnyHashable?
    let instant: any InstantProtocol
    let expiry: DeadlineExpiry
  }

  /// The deadlines of operations that have ended may be among them, because an unstructured task
  /// keeps what its creator had.
  private var deadlines: [Deadline] = []

  private var active: some Sequence<Deadline> { deadlines.lazy.filter { $0.expiry.isActive } }

  /// How many deadlines are kept.
  var count: Int { deadlines.count }

  var isEmpty: Bool { !active.contains { _ in true } }

  /// Whether one of the deadlines has cancelled its operation.
  var hasExpired: Bool { active.contains { $0.expiry.hasHappened } }

  /// These deadlines and an inner one.
  func adding<C: Clock>(
    _ instant: C.Instant, of clock: C, expiry: DeadlineExpiry
  ) -> ActiveDeadlines {
    var all = self
    // Otherwise a chain of tasks, of which each makes the next, would keep ever more deadlines.
    all.deadlines.removeAll { !$0.expiry.isActive }
    all.deadlines.append(Deadline(clock: identifier(of: clock), instant: instant, expiry: expiry))
    return all
  }

  /// The earliest deadline of a clock.
  func earliest<C: Clock>(for clock: C) -> C.Instant? {
    guard !deadlines.isEmpty, let id = identifier(of: clock) else { return nil }
    return active.lazy.filter { $0.clock == id }.compactMap { $0.instant as? C.Instant }.min()
  }
}

/// The state of a deadline.
final class DeadlineExpiry: Sendable {
  private let state = Lock((isActive: true, hasHappened: false))

  /// Whether the operation has not ended.
  var isActive: Bool { state.withLock { $0.isActive } }

  /// Whether the deadline has expired before the operation ended.
  var hasHappened: Bool { state.withLock { $0.hasHappened } }

  func happen() { state.withLock { $0.hasHappened = true } }

  func operationHasEnded() { state.withLock { $0.isActive = false } }
}

/// The identity of a clock among the clocks of its type; `nil` if it has none.
private func identifier<C: Clock>(of clock: C) -> AnyHashable? {
  // All clocks without stored properties, such as the standard ones, are equal.
  if MemoryLayout<C>.size == 0 { return AnyHashable(ObjectIdentifier(C.self)) }
  if let clock = clock as? any Identifiable { return identifier(of: clock) }
  return C.self is AnyObject.Type ? AnyHashable(ObjectIdentifier(clock as AnyObject)) : nil
}

private func identifier(of clock: some Identifiable) -> AnyHashable { AnyHashable(clock.id) }
