import _EscapementCore

/// Suspends the caller for ever, and ignores cancellation.
func neverResumed() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// Suspends the caller until it is cancelled.
func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  try Task.checkCancellation()
}
