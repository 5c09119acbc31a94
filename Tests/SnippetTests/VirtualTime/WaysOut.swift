// What ends a scope cleanly where it would be stuck, endless, or leave tasks behind.

import EscapementVirtualTime
import Testing

/// A heartbeat that its owner stops, so that nothing is left over.
@Test func `a test stops what it started`() async throws {
  try await withVirtualTime { _ in
    let heartbeat = Task(name: "heartbeat") {
      while true { try await Task.sleep(for: .seconds(5)) }
    }
    try await Task.sleep(for: .seconds(60))
    heartbeat.cancel()
  }
}

/// A loop that passes cancellation on; with `try?` it would go on for ever.
func poll(_ work: @Sendable () async -> Void) async throws {
  while true {
    await work()
    try await Task.sleep(for: .seconds(5))
  }
}

@Test func `a loop that passes cancellation on ends with its task`() async throws {
  try await withVirtualTime { _ in
    let polling = Task { try await poll {} }
    try await Task.sleep(for: .seconds(12))
    polling.cancel()
  }
}
