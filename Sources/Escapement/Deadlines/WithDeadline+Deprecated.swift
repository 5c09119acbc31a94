/// The earlier spelling of `withDeadline`.
@available(*, deprecated, renamed: "withDeadline(_:tolerance:clock:fileID:line:body:)")
@_disfavoredOverload
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  _ expiration: C.Instant,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  operation: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  try await withDeadline(
    expiration, tolerance: tolerance, clock: clock, fileID: fileID, line: line, body: operation)
}

/// The earlier spelling of ``withDeadline(in:tolerance:clock:fileID:line:body:)``.
@available(*, deprecated, renamed: "withDeadline(in:tolerance:clock:fileID:line:body:)")
@_disfavoredOverload
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  in duration: Duration,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  operation: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  try await withDeadline(
    in: duration, tolerance: tolerance, clock: clock, fileID: fileID, line: line, body: operation)
}
