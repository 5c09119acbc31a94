// Real work inside a scope, during which time stands.

import Dispatch
import EscapementVirtualTime
import Foundation

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

// snippet.hold-limit
func waitForFile(_ path: String, limit: TimeInterval) -> Bool {
  let end = Date(timeIntervalSinceNow: limit)
  while !FileManager.default.fileExists(atPath: path) {
    guard Date() < end else { return false }
    Thread.sleep(forTimeInterval: 0.01)
  }
  return true
}

func waitsForAnotherProcess() async throws {
  try await withVirtualTime { time in
    let isThere = await time.hold { waitForFile("/no/such/file", limit: 0.05) }
    assert(!isThere)
    assert(time.now.offset == .zero)
  }
}
// snippet.end

// snippet.hide
try await holdsTime()
try await waitsForAnotherProcess()
