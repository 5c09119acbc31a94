// Real work inside a scope, during which time stands.

import Dispatch
import EscapementVirtualTime

/// Real work on a queue of its own, as an older library does it.
func checksum(of bytes: [UInt8], completion: @escaping @Sendable (UInt64) -> Void) {
  DispatchQueue.global().async {
    completion(bytes.reduce(0) { $0 &* 31 &+ UInt64($1) })
  }
}

// snippet.hold
func holdsTime() async throws {
  try await withVirtualTime { time in
    let timeout = Task(name: "timeout") { try await Task.sleep(for: .seconds(30)) }
    let sum = await time.hold {
      await withCheckedContinuation { done in
        checksum(of: [1, 2, 3]) { done.resume(returning: $0) }
      }
    }
    assert(sum == 1026)
    assert(time.now.offset == .zero)  // the timeout has not come nearer
    timeout.cancel()
  }
}
// snippet.end

// snippet.hide
try await holdsTime()
