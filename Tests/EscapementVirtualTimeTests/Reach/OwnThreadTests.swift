import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// What a task, or code of the main actor, waits for on its own thread.
@Suite(.virtualStandardClocks) struct OwnThreadTests {
  @Test(arguments: BlockingWait.allCases, [false, true])
  func `a wait with a timeout ends at its instant`(wait: BlockingWait, onMain: Bool) async throws {
    for _ in 0..<20 {
      try await withVirtualTime(.reaching) { time in
        let succeeds = await perform(wait, onMain) { _ in }
        #expect(!succeeds)
        #expect(time.now.offset == .seconds(5))
      }
    }
  }

  @Test(arguments: BlockingWait.allCases, [false, true])
  func `a wait with a timeout ends when a block of the scope signals`(
    wait: BlockingWait, onMain: Bool
  ) async throws {
    for _ in 0..<20 {
      try await withVirtualTime(.reaching) { time in
        let succeeds = await perform(wait, onMain) { signal in
          DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: signal)
        }
        #expect(succeeds)
        #expect(time.now.offset == .seconds(2))
      }
    }
  }

  @Test func `a task waits for the main queue`() async throws {
    let log = try await sameLog { log in
      DispatchQueue.main.async {
        usleep(1_000)
        log.mark("main")
      }
      syncOnMain { log.mark("in between") }
      log.mark("after")
    }
    #expect(log == ["main@1", "in between@1", "after@1"], "\(log)")
  }

  @Test func `a block waits for the main queue`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          DispatchQueue.main.sync { log.mark("main") }
          log.mark("block")
          done.resume()
        }
      }
    }
    #expect(log == ["main@0", "block@0"], "\(log)")
  }

  private func perform(
    _ wait: BlockingWait, _ onMain: Bool,
    _ prepare: @escaping @Sendable (_ signal: @escaping @Sendable () -> Void) -> Void
  ) async -> Bool {
    if onMain { await MainActor.run { wait(prepare) } } else { wait(prepare) }
  }
}

/// A wait of at most 5 seconds, which blocks the thread.
enum BlockingWait: CaseIterable {
  case semaphore, group, workItem, condition

  /// - Parameter prepare: Gets what ends the wait.
  /// - Returns: Whether the wait ended before its timeout.
  func callAsFunction(
    _ prepare: (_ signal: @escaping @Sendable () -> Void) -> Void
  ) -> Bool {
    switch self {
    case .semaphore:
      let semaphore = DispatchSemaphore(value: 0)
      prepare { semaphore.signal() }
      return semaphore.wait(timeout: .now() + 5) == .success
    case .group:
      let group = DispatchGroup()
      group.enter()
      let isEntered = NSLock()
      defer { if isEntered.try() { group.leave() } }
      prepare { if isEntered.try() { group.leave() } }
      return group.wait(timeout: .now() + 5) == .success
    case .workItem:
      nonisolated(unsafe) let item = DispatchWorkItem {}
      prepare { item.perform() }
      return item.wait(timeout: .now() + 5) == .success
    case .condition:
      let condition = NSCondition()
      prepare {
        condition.lock()
        condition.signal()
        condition.unlock()
      }
      condition.lock()
      defer { condition.unlock() }
      return condition.wait(until: Date() + 5)
    }
  }
}

// In a function that is not asynchronous, where the compiler allows it.
private func syncOnMain(_ body: () -> Void) { DispatchQueue.main.sync(execute: body) }
