// Dispatch queues and threads in virtual time.

import Dispatch
import EscapementVirtualTime

// snippet.queues
func queuesAreVirtual() async throws {
  try await withVirtualTime { time in
    let timeout = Task(name: "timeout") { try await Task.sleep(for: .seconds(30)) }
    let queue = DispatchQueue(label: "work")
    await withCheckedContinuation { done in
      queue.asyncAfter(deadline: .now() + 10) { done.resume() }
    }
    assert(time.now.offset == .seconds(10))  // at once, and before the timeout
    timeout.cancel()
  }
}
// snippet.end

// snippet.hide
if VirtualTime.virtualizesStandardClocks { try await queuesAreVirtual() }
