#if os(Linux)
  import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

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

    @Test func `a block that captures a task does not let time move past another executor's task`()
      async throws
    {
      let executor = OutsideExecutor()
      let log = try await sameLog { log in
        let queue = DispatchQueue(label: "busy")
        queue.async { usleep(1000) }
        await Task.yield()
        let task = Task(executorPreference: executor) { log.mark("task") }
        queue.async {
          task.cancel()
          log.mark("block")
        }
        await task.value
        await withCheckedContinuation { done in queue.async { done.resume() } }
      }
      #expect(log == ["task@0", "block@1"])
    }

    @Test(arguments: submissions)
    func `a block sleeps in the queue of an actor for which tasks wait, however they are submitted`(
      _ submission: Submission
    ) async throws {
      let log = try await sameLog { log in
        let actor = QueueActor(submit: submission.submit)
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

    @Test func `an executor may drop a source before it submits a job`() async throws {
      let log = try await sameLog { log in
        let queue = DispatchQueue(label: "actor")
        queue.suspend()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { queue.resume() }
        let actor = QueueActor(
          queue,
          submit: { queue, run in
            do {
              let source = DispatchSource.makeTimerSource()
              source.setEventHandler { [self] in _ = self }
              source.activate()
            }
            queue.async(execute: run)
          })
        await actor.work("job", log)
      }
      #expect(log == ["job@7"])
    }

    @Test func `time moves until an executor submits its jobs`() async throws {
      let log = try await sameLog { log in
        let later = QueueActor(submit: { queue, run in
          queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: run)
        })
        await later.work("later", log)
        let group = DispatchGroup()
        group.enter()
        let gated = QueueActor(submit: { queue, run in group.notify(queue: queue, execute: run) })
        let task = Task { await gated.work("gated", log) }
        try await Task.sleep(for: .milliseconds(1))
        group.leave()
        await task.value
      }
      #expect(log == ["later@3", "gated@6"])
    }

    @Test func `a task that another block has run does not let time move past a task elsewhere`()
      async throws
    {
      let log = try await sameLog { log in
        let jobs = Lock<[@Sendable () -> Void]>([])
        let actor = QueueActor(submit: { queue, run in
          jobs.withLock { $0.append(run) }
          queue.async {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
          }
        })
        async let first: Void = actor.work("first", log)
        async let second: Void = actor.work("second", log)
        async let third: Void = OutsideActor().work("outside", log)
        _ = await (first, second, third)
      }
      #expect(log == ["outside@0", "first@2", "second@4"])
    }
  }

  /// A way in which an executor may submit what runs a job.
  struct Submission: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let submit: QueueExecutor.Submit
  }

  private let submissions = [
    Submission(testDescription: "as usual") { $0.async(execute: $1) },
    Submission(testDescription: "with a priority") { $0.async(qos: .utility, execute: $1) },
    Submission(testDescription: "as a barrier") { $0.async(flags: .barrier, execute: $1) },
    Submission(testDescription: "as a work item") { queue, run in
      queue.async(execute: DispatchWorkItem { run() })
    },
    Submission(testDescription: "in a group") { $0.async(group: DispatchGroup(), execute: $1) },
    Submission(testDescription: "with a source") { queue, run in
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler {
        source.cancel()
        run()
      }
      source.resume()
      source.add(data: 1)
    },
  ]

  private actor QueueActor {
    private let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var queue: DispatchQueue { executor.queue }

    init(
      _ queue: DispatchQueue = DispatchQueue(label: "actor"),
      submit: @escaping QueueExecutor.Submit = { $0.async(execute: $1) }
    ) {
      executor = QueueExecutor(queue, submit: submit)
    }

    func work(_ name: String, _ log: Log<String>) {
      usleep(2000)
      log.mark(name)
    }
  }

  /// Runs on threads that belong to no scope, a moment later.
  private final class OutsideExecutor: SerialExecutor, TaskExecutor {
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
