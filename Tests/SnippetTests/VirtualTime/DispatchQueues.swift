// Dispatch queues and threads in virtual time.

import Dispatch
import EscapementVirtualTime
import Testing

@Test func `queues are virtual`() async throws {
  try await withVirtualTime { time in
    let timeout = Task(name: "timeout") { try await Task.sleep(for: .seconds(30)) }
    let queue = DispatchQueue(label: "work")
    await withCheckedContinuation { done in
      queue.asyncAfter(deadline: .now() + 10) { done.resume() }
    }
    #expect(time.now.offset == .seconds(10))  // at once, and before the timeout
    timeout.cancel()
  }
}
