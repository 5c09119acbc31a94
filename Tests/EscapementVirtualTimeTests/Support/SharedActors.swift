import EscapementVirtualTime

/// An actor for the whole process, as scopes and the outside share it.
@globalActor actor SharedActor { static let shared = SharedActor() }

/// Sleeps on the actor that all share; returns how long that was, on the clock that it sees.
@SharedActor func napOnSharedActor(_ duration: Duration) async throws -> Duration {
  try await measure { try await Task.sleep(for: duration) }
}

/// The scope that code on the actor belongs to, as it sees it.
@SharedActor func scopeOnSharedActor() -> VirtualTime.ID? { VirtualTime.current?.id }
