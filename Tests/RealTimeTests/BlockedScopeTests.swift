import Dispatch
import EscapementTesting
import Testing

/// Waits for a semaphore as code must not: it blocks its thread.
private func block(_ semaphore: DispatchSemaphore, until deadline: DispatchTime) -> Bool {
  semaphore.wait(timeout: deadline) == .success
}

@Suite struct BlockedScopeTests {
  @Test func `a scope that blocks its thread does not stop another scope`() async throws {
    let begun = AsyncStream.makeStream(of: Never.self)
    let otherHasEnded = DispatchSemaphore(value: 0)
    // Read outside, since the clocks of a scope are virtual.
    let deadline = DispatchTime.now() + .seconds(10)
    async let blocked = withVirtualTime { time in
      try await Task.sleep(for: .seconds(1))
      begun.continuation.finish()
      let isInTime = block(otherHasEnded, until: deadline)
      try await Task.sleep(for: .seconds(1))
      return (isInTime, time.now.offset)
    }
    for await _ in begun.stream {}
    let other = try await withVirtualTime { time in
      for _ in 0..<100 { try await Task.sleep(for: .seconds(1)) }
      return time.now.offset
    }
    otherHasEnded.signal()
    #expect(other == .seconds(100))
    let (isInTime, elapsed) = try await blocked
    #expect(isInTime, "the other scope has waited until this one went on")
    #expect(elapsed == .seconds(2))
  }

  @Test func `a scope that blocks its thread does not stop the main actor`() async throws {
    let begun = AsyncStream.makeStream(of: Never.self)
    let mainHasRun = DispatchSemaphore(value: 0)
    let deadline = DispatchTime.now() + .seconds(10)
    async let blocked = withVirtualTime { _ in
      begun.continuation.finish()
      return block(mainHasRun, until: deadline)
    }
    for await _ in begun.stream {}
    await MainActor.run { _ = mainHasRun.signal() }
    #expect(try await blocked, "the main actor has waited until the scope went on")
  }
}
