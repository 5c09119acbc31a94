#if os(Linux) && !ESCAPEMENT_PORTABLE
  import CVirtualTime
  import EscapementVirtualTime
  import Testing

  /// What no other test tells of the inside of the runtime.
  @Suite struct RuntimeTests {
    // Without this, the timer of a sleep stays that another thread cancels while the sleep begins.
    @Test func `the runtime tells when it begins to cancel a task`() async throws {
      try await withVirtualTime { _ in
        let task = Task.immediate { try? await Task.sleep(for: .seconds(1)) }
        task.cancel()
        let cancelled = cvt_last_cancelled()
        #expect(cancelled == unsafeBitCast(task, to: UnsafeRawPointer.self))
        await task.value
      }
    }
  }
#endif
