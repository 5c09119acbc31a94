/// Measures a body with the clock that the caller's task sees.
func measure(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> Duration {
  let start = ContinuousClock.now
  try await body()
  return start.duration(to: .now)
}
