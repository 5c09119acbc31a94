import CVirtualTime
import TestSupport
import Testing

@testable import EscapementVirtualTime

private func awaited<Success, Failure>(by task: Task<Success, Failure>) -> Awaited {
  // A task is nothing but a reference to the runtime's object.
  Awaited(of: unsafeBitCast(task, to: UnsafeRawPointer.self))
}

/// An actor whose executor is the runtime's.
private actor Store {
  private var count = 0

  /// What a task waits for while another one runs on the actor.
  func awaitedByAnotherTask() -> Awaited { awaited(by: Task { count += 1 }) }
}

/// An executor that notes what each job waits for, and runs it at once.
private final class ImmediateExecutor: SerialExecutor {
  let log = Log<Awaited>()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A task begins with its job.
    log.append(Awaited(of: unsafeBitCast(job, to: UnsafeRawPointer.self)))
    job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

private actor ActorWithExecutor {
  let executor = ImmediateExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func work() {}
}

/// What tasks wait for, as the runtime tells.
@Suite(.virtualStandardClocks) struct AwaitedTests {
  /// What a task waits for once nothing else can run.
  private func awaited(
    by operation: @escaping @Sendable () async throws -> Void
  ) async throws -> Awaited {
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
      let task = Task { try await operation() }
      await time.settle()
      defer { task.cancel() }
      return EscapementVirtualTimeTests.awaited(by: task)
    }
  }

  @Test func `a task waits for a continuation`() async throws {
    let awaited = try await awaited { try await untilCancelled() }
    #expect(awaited.description == "a continuation that has not been resumed")
  }

  @Test func `a task waits for the value of another one`() async throws {
    let other = Log<Task<Void, any Error>>()
    let awaited = try await awaited {
      other.append(Task(name: "other") { try await untilCancelled() })
      try await other.entries[0].value
    }
    defer { other.entries[0].cancel() }
    let id = cvt_task_id(unsafeBitCast(other.entries[0], to: UnsafeRawPointer.self))
    #expect(awaited.description == "the value of task \(id) “other”")
  }

  @Test func `a task waits for the value of one that is older than the scope`() async throws {
    let other = Task(name: "other") { try await untilCancelled() }
    defer { other.cancel() }
    let awaited = try await awaited { try await other.value }
    let id = cvt_task_id(unsafeBitCast(other, to: UnsafeRawPointer.self))
    let expected =
      "the value of task \(id) “other”, which was made outside of the scope, before it, as in 'setUp()'"
    #expect(awaited.description == expected)
  }

  @Test func `a task waits for its child tasks`() async throws {
    let awaited = try await awaited {
      try await withThrowingTaskGroup { group in
        group.addTask { try await untilCancelled() }
        try await group.waitForAll()
      }
    }
    #expect(awaited.description == "its child tasks")
  }

  @Test func `a task waits in the mailbox of an actor`() async throws {
    let awaited = try await withVirtualTime { _ in await Store().awaitedByAnotherTask() }
    #expect(awaited.description == "the actor “Store”")
  }

  @Test @MainActor func `a task waits for the main actor`() async throws {
    let awaited = try await withVirtualTime { _ in
      EscapementVirtualTimeTests.awaited(by: Task { @MainActor in })
    }
    #expect(awaited.description == "the main actor")
  }

  @Test(.withoutOptimisation) func `a task waits for an actor with an executor of its own`()
    async throws
  {
    let actor = ActorWithExecutor()
    try await withVirtualTime { _ in await actor.work() }
    #expect(actor.executor.log.entries.first?.description == "the executor of an actor")
  }
}
