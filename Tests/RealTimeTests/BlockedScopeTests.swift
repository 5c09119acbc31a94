import Dispatch
import EscapementTesting
import Foundation
import Synchronization
import Testing

/// What a scope's thread waits for, as code must not.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isOpen = Atomic(false)

  /// Creates a gate that opens by itself after an hour, so that no test hangs.
  init() {
    Thread.detachNewThread { [semaphore] in
      Thread.sleep(forTimeInterval: 3_600)
      semaphore.signal()
    }
  }

  func open() {
    isOpen.store(true, ordering: .relaxed)
    semaphore.signal()
  }

  /// Blocks the thread; returns whether the gate was opened.
  func passes() -> Bool {
    semaphore.wait()
    return isOpen.load(ordering: .relaxed)
  }
}

@Suite struct BlockedScopeTests {
  /// The gates are opened by tasks that may have to wait for other tests.
  private let options = VirtualTimeOptions(queuesAndThreads: .real, blockLimit: .seconds(300))

  @Test func `a scope that blocks its thread does not stop another scope`() async throws {
    let (gate, begun) = (Gate(), AsyncStream.makeStream(of: Never.self))
    async let blocked = withVirtualTime(options) { time in
      try await Task.sleep(for: .seconds(1))
      begun.continuation.finish()
      let isOpen = gate.passes()
      try await Task.sleep(for: .seconds(1))
      return (isOpen, time.now.offset)
    }
    for await _ in begun.stream {}
    let other = try await withVirtualTime { time in
      for _ in 0..<100 { try await Task.sleep(for: .seconds(1)) }
      return time.now.offset
    }
    gate.open()
    #expect(other == .seconds(100))
    let (isOpen, elapsed) = try await blocked
    #expect(isOpen, "the other scope has waited until this one went on")
    #expect(elapsed == .seconds(2))
  }

  @Test func `a scope that blocks its thread does not stop the main actor`() async throws {
    let (gate, begun) = (Gate(), AsyncStream.makeStream(of: Never.self))
    async let blocked = withVirtualTime(options) { _ in
      begun.continuation.finish()
      return gate.passes()
    }
    for await _ in begun.stream {}
    await MainActor.run { gate.open() }
    let isOpen = try await blocked
    #expect(isOpen, "the main actor has waited until the scope went on")
  }

  @Test func `many scopes that block their threads do not stop another one`() async throws {
    let gates = (0..<16).map { _ in Gate() }
    try await withThrowingTaskGroup { group in
      for gate in gates {
        group.addTask { try await withVirtualTime(options) { _ in gate.passes() } }
      }
      group.addTask {
        try await withVirtualTime { _ in
          try await Task.sleep(for: .seconds(1))
          for gate in gates { gate.open() }
          return true
        }
      }
      for try await isOpen in group { #expect(isOpen) }
    }
  }
}
