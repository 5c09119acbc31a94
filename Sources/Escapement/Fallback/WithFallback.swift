/// Performs an operation, and another one if it fails.
///
/// ```swift
/// let rates = try await withFallback { try await bank.rates() } fallback: { _ in cache.rates }
/// ```
///
/// Both run in the task of the caller, on its actor. After the cancellation of the task there is no
/// fallback, and the error of the operation is thrown. There is none for a `CancellationError`
/// either.
///
/// - Parameters:
///   - isHandled: Whether the fallback is for an error other than `CancellationError`; by default
///     it is for each.
///   - operation: The operation.
///   - fallback: What to do when the operation has failed. It gets the error.
/// - Returns: The result of the operation or of the fallback.
/// - Throws: The error of the operation if the fallback is not for it, or the error of the
///   fallback.
nonisolated(nonsending) public func withFallback<Return: ~Copyable>(
  when isHandled: (any Error) -> Bool = { _ in true },
  operation: nonisolated(nonsending) () async throws -> Return,
  fallback: nonisolated(nonsending) (any Error) async throws -> Return
) async throws -> Return {
  do {
    return try await operation()
  } catch {
    guard !(error is CancellationError), !Task.isCancelled, isHandled(error) else { throw error }
    return try await fallback(error)
  }
}
