// Real work inside a scope, during which time stands.

import Dispatch
import EscapementVirtualTime
import Foundation
import Testing

/// Real work on a queue of its own, as an older library does it.
func checksum(of bytes: [UInt8], completion: @escaping @Sendable (UInt64) -> Void) {
  DispatchQueue.global().async {
    completion(bytes.reduce(0) { $0 &* 31 &+ UInt64($1) })
  }
}

@Test func `time stands during real work`() async throws {
  try await withVirtualTime { time in
    let timeout = Task(name: "timeout") { try await Task.sleep(for: .seconds(30)) }
    let sum = await time.hold {
      await withCheckedContinuation { done in
        checksum(of: [1, 2, 3]) { done.resume(returning: $0) }
      }
    }
    #expect(sum == 1026)
    #expect(time.now.offset == .zero)  // the timeout has not come nearer
    timeout.cancel()
  }
}

func waitForFile(_ path: String, limit: TimeInterval) -> Bool {
  let end = Date(timeIntervalSinceNow: limit)
  while !FileManager.default.fileExists(atPath: path) {
    guard Date() < end else { return false }
    Thread.sleep(forTimeInterval: 0.01)
  }
  return true
}

@Test func `time stands while a file is waited for`() async throws {
  try await withVirtualTime { time in
    let isThere = await time.hold { waitForFile("/no/such/file", limit: 0.05) }
    #expect(!isThere)
    #expect(time.now.offset == .zero)
  }
}
