import _EscapementCore

/// Tells what a block decides, if somebody wants to know.
///
/// If nobody does, it reads no clock and allocates nothing.
struct EventObserver: Sendable {
  let onEvent: (@Sendable (BlockEvent) -> Void)?

  init(_ onEvent: (@Sendable (BlockEvent) -> Void)?) { self.onEvent = onEvent }

  /// Tells of the calls with one key.
  init<Key: Sendable>(of key: Key, _ onEvent: (@Sendable (Key, BlockEvent) -> Void)?) {
    self.onEvent = onEvent.map { onEvent in { @Sendable event in onEvent(key, event) } }
  }

  @inline(__always) func tell(_ event: @autoclosure () -> BlockEvent) {
    if let onEvent { onEvent(event()) }
  }

  /// Tells of a request for permits that does not wait.
  @inline(__always) func tell(_ decision: QuotaDecision, permits: Int) {
    guard let onEvent else { return }
    switch decision {
    case .allowed: onEvent(.granted(permits))
    case .denied(let time):
      onEvent(.refused(QuotaError.deadlineUnreachable(retryAfter: time)))
    }
  }

  /// Lets a call in with `body`, and tells if it is not let in.
  nonisolated(nonsending) func admit<Return>(
    _ body: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    do {
      return try await body()
    } catch {
      tell(error is CancellationError ? .left : .refused(error))
      throw error
    }
  }

  /// Waits with `body`, and tells so.
  nonisolated(nonsending) func wait<Return, C: Clock<Duration>>(
    on clock: C, _ body: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    guard let onEvent else { return try await body() }
    let start = clock.now
    onEvent(.waits)
    // A clock may have gone back.
    defer { onEvent(.waited(max(.zero, start.duration(to: clock.now)))) }
    return try await body()
  }

  /// Performs a run that was due at an instant, and tells so.
  nonisolated(nonsending) func perform<C: Clock<Duration>>(
    due: C.Instant, on clock: C, _ run: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    tell(.late(max(.zero, due.duration(to: clock.now))))
    try await perform(run)
  }

  /// Performs an operation, and tells so.
  nonisolated(nonsending) func perform<Return: ~Copyable>(
    _ operation: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    tell(.begun)
    do {
      let result = try await operation()
      tell(.ended(nil))
      return result
    } catch {
      tell(.ended(error))
      throw error
    }
  }
}
