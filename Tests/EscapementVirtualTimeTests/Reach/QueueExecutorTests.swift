#if os(Linux)
  import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// Actors that run on a queue, while other work occupies the queue.
  @Suite(.virtualStandardClocks) struct QueueExecutorTests {
    @Test func `an actor sleeps while another task waits for its queue`() async throws {
      let log = try await sameLog { log in
        let actor = QueueActor()
        async let first: Void = actor.work("first", log)
        async let second: Void = actor.work("second", log)
        _ = await (first, second)
      }
      #expect(log == ["first@2", "second@4"])
    }

    @Test func `a block sleeps in the queue of an actor for which tasks wait`() async throws {
      let log = try await sameLog { log in
        let actor = QueueActor()
        actor.queue.async {
          usleep(1000)
          log.mark("block")
        }
        async let first: Void = actor.work("first", log)
        async let second: Void = actor.work("second", log)
        _ = await (first, second)
      }
      #expect(log == ["block@1", "first@3", "second@5"])
    }

    @Test func `a block waits for the body in the queue of an actor for which a task waits`()
      async throws
    {
      let log = try await sameLog { log in
        let actor = QueueActor()
        let semaphore = DispatchSemaphore(value: 0)
        actor.queue.async {
          semaphore.wait()
          log.mark("block")
        }
        let task = Task { await actor.work("task", log) }
        try await Task.sleep(for: .milliseconds(3))
        semaphore.signal()
        await task.value
      }
      #expect(log == ["block@3", "task@5"])
    }

    @Test func `time moves while a task waits for a queue that is suspended`() async throws {
      let log = try await sameLog { log in
        let actor = QueueActor()
        actor.queue.suspend()
        let task = Task { await actor.work("task", log) }
        try await Task.sleep(for: .milliseconds(3))
        log.mark("body")
        actor.queue.resume()
        await task.value
      }
      #expect(log == ["body@3", "task@5"])
    }

    @Test func `the main actor sleeps while a task waits for an actor on the main queue`()
      async throws
    {
      let log = try await sameLog { log in
        let actor = QueueActor(.main)
        async let main: Void = MainActor.run {
          usleep(1000)
          log.mark("main")
        }
        async let other: Void = actor.work("other", log)
        _ = await (main, other)
      }
      #expect(log == ["main@1", "other@3"])
    }

    @Test func `a block that runs no task does not let time move past another executor's task`()
      async throws
    {
      let log = try await sameLog { log in
        let queue = DispatchQueue(label: "busy")
        queue.async { usleep(1000) }
        await Task.yield()
        let actor = OutsideActor()
        // The thread outside gets the task, and the queue keeps the block.
        let task = Task { await actor.work("task", log) }
        queue.async { log.mark("block") }
        await task.value
        await withCheckedContinuation { done in queue.async { done.resume() } }
      }
      #expect(log == ["task@0", "block@1"])
    }
  }

  private actor QueueActor {
    private let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var queue: DispatchQueue { executor.queue }

    init(_ queue: DispatchQueue = DispatchQueue(label: "actor")) {
      executor = QueueExecutor(queue)
    }

    func work(_ name: String, _ log: Log<String>) {
      usleep(2000)
      log.mark(name)
    }
  }

  /// Runs on threads that belong to no scope, a moment later.
  private final class OutsideExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      outside(after: .milliseconds(1)) {
        job.runSynchronously(on: self.asUnownedSerialExecutor())
      }
    }
  }

  private actor OutsideActor {
    private let executor = OutsideExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func work(_ name: String, _ log: Log<String>) { log.mark(name) }
  }
#endif
