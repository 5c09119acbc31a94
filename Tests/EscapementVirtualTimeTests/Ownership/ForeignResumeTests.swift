import EscapementVirtualTime
import TestSupport
import Testing

private actor Worker {
  private(set) var steps = 0

  /// Starts a task on this actor that a foreign thread is the first to resume.
  func start(_ time: VirtualTime) -> Task<VirtualTime.ID?, any Error> {
    Task {
      steps += 1
      await time.hold { await resumedByForeignThread() }
      steps += 1
      try await Task.sleep(for: .milliseconds(1))
      return VirtualTime.current?.id
    }
  }
}

/// Tasks that a foreign thread is the first to enqueue.
@Suite(.virtualStandardClocks) struct ForeignResumeTests {
  @Test func `a task begun by an actor stays in its scope when a foreign thread resumes it`()
    async throws
  {
    for _ in 0..<20 {
      try await withVirtualTime { time in
        let worker = Worker()
        try #require(try await worker.start(time).value == time.id)
        #expect(time.now.offset == .milliseconds(1))
        #expect(await worker.steps == 2)
      }
    }
  }

  @Test func `an immediate task stays in its scope when a foreign thread resumes it`()
    async throws
  {
    for _ in 0..<20 {
      try await withVirtualTime { time in
        let task = Task.immediate {
          await time.hold { await resumedByForeignThread() }
          try await Task.sleep(for: .milliseconds(1))
          return VirtualTime.current?.id
        }
        try #require(try await task.value == time.id)
        #expect(time.now.offset == .milliseconds(1))
      }
    }
  }

  @Test func `a child task stays in its scope when a foreign thread resumes it`() async throws {
    try await withVirtualTime { time in
      for _ in 0..<20 {
        async let child: VirtualTime.ID? = {
          await time.hold { await resumedByForeignThread() }
          try await Task.sleep(for: .milliseconds(1))
          return VirtualTime.current?.id
        }()
        let scope = try await child
        #expect(scope == time.id)
      }
      #expect(time.now.offset == .milliseconds(20))
    }
  }
}
