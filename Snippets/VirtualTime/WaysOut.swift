// What ends a scope cleanly where it would be stuck, endless, or leave tasks behind.

import EscapementVirtualTime

// snippet.cancel
/// A heartbeat that its owner stops, so that nothing is left over.
func stopsWhatItStarted() async throws {
  try await withVirtualTime { _ in
    let heartbeat = Task(name: "heartbeat") {
      while true { try await Task.sleep(for: .seconds(5)) }
    }
    try await Task.sleep(for: .seconds(60))
    heartbeat.cancel()
  }
}
// snippet.end

// snippet.propagate
/// A loop that passes cancellation on; with `try?` it would go on for ever.
func poll(_ work: @Sendable () async -> Void) async throws {
  while true {
    await work()
    try await Task.sleep(for: .seconds(5))
  }
}
// snippet.end

// snippet.hide
try await stopsWhatItStarted()
try await withVirtualTime { _ in
  let polling = Task { try await poll {} }
  try await Task.sleep(for: .seconds(12))
  polling.cancel()
}
