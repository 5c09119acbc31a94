import BenchmarkSupport
import EscapementVirtualTime

/// How long a scope with nothing in it takes.
struct EmptyScopes: Codable {
  let microsecondsFromThePool: Double
  let microsecondsFromTheMainActor: Double

  static func measure(count: Int) async throws -> EmptyScopes {
    EmptyScopes(
      microsecondsFromThePool: try await fromThePool(count),
      microsecondsFromTheMainActor: try await fromTheMainActor(count))
  }

  @concurrent private static func fromThePool(_ count: Int) async throws -> Double {
    try await microsecondsPerScope(count)
  }

  @MainActor private static func fromTheMainActor(_ count: Int) async throws -> Double {
    try await microsecondsPerScope(count)
  }

  private static func microsecondsPerScope(
    _ count: Int, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double {
    try await withVirtualTime { _ in }
    let start = ContinuousClock.now
    for _ in 0..<count { try await withVirtualTime { _ in } }
    return start.duration(to: .now).microseconds / Double(count)
  }
}
