// The declarations of SE-0526 in the spelling of the proposal. They stand in for the standard library's.
//
// The signatures are the proposal's, and without them overload resolution would differ. No deadline expires.
// The members that the proposal adds to `Task` and `CancellationError` are not here: the compiler prefers
// members of any other module to those of the standard library.

/// Performs an operation, with a deadline that is an instant.
nonisolated(nonsending) public func withDeadline<
  Return: ~Copyable, Failure: Error, C: Clock & Identifiable
>(
  _ expiration: C.Instant,
  tolerance: C.Instant.Duration? = nil,
  clock: C = ContinuousClock(),
  body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return { try await body() }

/// Performs an operation, with a deadline that is a duration of a clock.
nonisolated(nonsending) public func withDeadline<
  Return: ~Copyable, Failure: Error, C: Clock & Identifiable
>(
  in timeout: C.Instant.Duration,
  tolerance: C.Instant.Duration? = nil,
  clock: C = ContinuousClock(),
  body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return { try await body() }

/// Performs an operation, with a deadline that is a duration of the continuous clock.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, Failure: Error>(
  in timeout: ContinuousClock.Instant.Duration,
  tolerance: ContinuousClock.Instant.Duration? = nil,
  body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return { try await body() }
