import EscapementVirtualTime
import TestSupport
import Testing

@globalActor private actor Shelf { static let shared = Shelf() }

/// Sleeps for a second; returns how long that was in the scope, or `nil` outside of it.
@concurrent private func nap(_ time: VirtualTime) async throws -> Duration? {
  guard VirtualTime.current?.id == time.id else { return nil }
  let start = time.now
  try await Task.sleep(for: .milliseconds(1))
  return start.duration(to: time.now)
}

/// Every kind of task, begun where a scope shares an actor with another scope.
@Suite(.virtualStandardClocks) struct KindsOfTaskTests {
  private let moment = Duration.milliseconds(1)

  /// Runs two scopes side by side, whose bodies are on the same global actor.
  private func onSharedActor(
    _ body: @escaping @Sendable @Shelf (VirtualTime) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          try await withVirtualTime { time in for _ in 0..<20 { try await body(time) } }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `an async let belongs to the scope`() async throws {
    try await onSharedActor { time in
      async let child = nap(time)
      let length = try await child
      #expect(length == moment)
    }
  }

  @Test func `the children of a group belong to the scope`() async throws {
    try await onSharedActor { time in
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await nap(time) } }
        for try await length in group { #expect(length == moment) }
      }
    }
  }

  @Test func `a detached task belongs to the scope`() async throws {
    try await onSharedActor { time in
      try #require(try await Task.detached { try await nap(time) }.value == moment)
    }
  }

  @Test func `an immediate task belongs to the scope`() async throws {
    try await onSharedActor { time in
      try #require(try await Task.immediate { try await nap(time) }.value == moment)
    }
  }

  @Test func `a task on the shared actor belongs to the scope`() async throws {
    try await onSharedActor { time in
      try #require(try await Task { @Shelf in try await nap(time) }.value == moment)
    }
  }

  @Test func `a task on the main actor belongs to the scope`() async throws {
    try await onSharedActor { time in
      try #require(try await Task { @MainActor in try await nap(time) }.value == moment)
    }
  }

  @Test func `a task with a preferred task executor belongs to the scope`() async throws {
    let executor = QueueTaskExecutor()
    try await onSharedActor { time in
      let task = Task(executorPreference: executor) { try await nap(time) }
      try #require(try await task.value == moment)
    }
  }

  @Test func `time does not move while a task is on its preferred task executor`() async throws {
    let executor = QueueTaskExecutor()
    try await withVirtualTime { time in
      let beat = Task { while true { try await Task.sleep(for: .milliseconds(1)) } }
      for _ in 0..<50 {
        let start = time.now
        await Task(executorPreference: executor) { keepBusy() }.value
        #expect(time.now == start)
      }
      beat.cancel()
    }
  }

  @Test func `a stream that foreign threads feed is read in the scope`() async throws {
    try await onSharedActor { time in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      outside {
        for number in 0..<10 { continuation.yield(number) }
        continuation.finish()
      }
      var sum = 0
      await time.hold {
        for await number in stream {
          #expect(VirtualTime.current?.id == time.id)
          sum += number
        }
      }
      #expect(sum == 45)
      try #require(try await nap(time) == moment)
    }
  }
}
