// The declarations of SE-0526 in the spelling of its first implementation (swiftlang/swift, July 2026), which
// otherwise has the signatures of the proposal. See the stand-in with the spelling of the proposal.

// `ContinuousClock` is identifiable.
import StandardDeadlineWithBody

/// Performs an operation, with a deadline that is an instant.
nonisolated(nonsending) public func withDeadline<
  Return: ~Copyable, Failure: Error, C: Clock & Identifiable
>(
  _ expiration: C.Instant,
  tolerance: C.Instant.Duration? = nil,
  clock: C = ContinuousClock(),
  operation: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return { try await operation() }

/// Performs an operation, with a deadline that is a duration of a clock.
nonisolated(nonsending) public func withDeadline<
  Return: ~Copyable, Failure: Error, C: Clock & Identifiable
>(
  in timeout: C.Instant.Duration,
  tolerance: C.Instant.Duration? = nil,
  clock: C = ContinuousClock(),
  operation: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return { try await operation() }

/// Performs an operation, with a deadline that is a duration of the continuous clock.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, Failure: Error>(
  in timeout: ContinuousClock.Instant.Duration,
  tolerance: ContinuousClock.Instant.Duration? = nil,
  operation: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return { try await operation() }
