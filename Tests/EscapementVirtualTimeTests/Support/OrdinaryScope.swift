import EscapementVirtualTime
import TestSupport
import Testing

/// Checks that what went wrong before has left no trace.
func checkThatAnOrdinaryScopeWorks() async throws {
  #expect(VirtualTime.current == nil)
  try await withVirtualTime { time in
    let log = Log<Duration>()
    let task = Task { @MainActor in
      for _ in 0..<5 {
        try await Task.sleep(for: .seconds(1))
        log.noteTime()
      }
    }
    await time.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(log.count == 4)
    await time.advance(by: .nanoseconds(1))
    #expect(log.entries == (1...5).map { .seconds($0) })
    try await task.value
    try await Task.sleep(for: .seconds(1))
    #expect(time.now.offset == .seconds(6))
  }
}
