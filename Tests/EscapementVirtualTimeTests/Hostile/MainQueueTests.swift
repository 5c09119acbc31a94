import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Synchronous code that knows where it runs.
private func assume(_ body: @MainActor () -> Void) { MainActor.assumeIsolated(body) }

/// The main actor reached in other ways than by tasks.
@Suite(.virtualStandardClocks) struct MainQueueTests {
  /// On a busy machine a block may wait long for its turn in the main queue.
  private let patient = VirtualTimeOptions(holdLimit: .seconds(3_600))

  @Test @MainActor func `code on the main actor may assume that it is there`() async throws {
    var count = 0
    try await withVirtualTime { time in
      assume { count += 1 }
      try await Task.sleep(for: .seconds(1))
      assume { count += 1 }
      await Task { assume { count += 1 } }.value
      await Task.detached { await MainActor.run { assume {} } }.value
      #expect(time.now.offset == .seconds(1))
    }
    #expect(count == 3)
  }

  @Test func `blocks of the main queue between the jobs of a scope are outside`() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          try await withVirtualTime(patient) { time in
            for _ in 0..<200 {
              let (year, scope) = await time.hold {
                await withCheckedContinuation { continuation in
                  DispatchQueue.main.async {
                    let scope = MainActor.assumeIsolated { VirtualTime.current?.id }
                    let isReal = Date().timeIntervalSince1970 > 1_700_000_000
                    continuation.resume(returning: (isReal, scope))
                  }
                }
              }
              try #require(year)
              try #require(scope == nil)
              try #require(await MainActor.run { VirtualTime.current?.id } == time.id)
              try await Task.sleep(for: .seconds(1))
            }
            #expect(time.now.offset == .seconds(200))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a task begun by a block of the main queue is outside`() async throws {
    try await withVirtualTime(patient) { time in
      let scope = await time.hold {
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            Task { @MainActor in continuation.resume(returning: VirtualTime.current?.id) }
          }
        }
      }
      #expect(scope == nil)
    }
  }
}
