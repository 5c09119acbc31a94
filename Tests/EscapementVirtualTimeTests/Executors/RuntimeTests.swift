#if os(Linux)
  import CVirtualTime
  import TestSupport
  import Testing

  @testable import EscapementVirtualTime

  /// Assumptions about the inside of the runtime on which no other test depends.
  @Suite(.virtualStandardClocks) struct RuntimeTests {
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

    @Test func `a task that has not begun is known by its closure`() async throws {
      try await withVirtualTime { _ in
        let plain = Task { await Task.yield() }
        let returning = Task {
          await Task.yield()
          return 1
        }
        let places = [
          WaitingPlace(of: unsafeBitCast(plain, to: UnsafeRawPointer.self)),
          WaitingPlace(of: unsafeBitCast(returning, to: UnsafeRawPointer.self)),
        ]
        for place in places {
          let closure = place?.description ?? "none"
          #expect(closure.contains("RuntimeTests"))
        }
        await plain.value
        _ = await returning.value
      }
    }
  }
#endif
