#if os(Linux)
  import CEventFiles
  @preconcurrency import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// Threads of a crashed host, and what they share with others: mutexes, as the runtime's are,
  /// semaphores, queues.
  @Suite struct CrashWhileWaitingTests {
    /// A mutex that a thread of no scope has until another thread waits for it.
    private final class ContendedMutex: @unchecked Sendable {
      // Sendable because a mutex may be used on any thread.
      private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      private let isGivenUp = Lock(false)

      init() {
        pthread_mutex_init(mutex, nil)
        let isHeld = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
          pthread_mutex_lock(mutex)
          isHeld.signal()
          // The kernel is asked to wake others.
          while mutex.pointee.__data.__lock != 2, !isGivenUp.withLock({ $0 }) { sched_yield() }
          pthread_mutex_unlock(mutex)
        }
        isHeld.wait()
      }

      func use() {
        pthread_mutex_lock(mutex)
        pthread_mutex_unlock(mutex)
      }

      func giveUp() { isGivenUp.withLock { $0 = true } }
    }

    @Test func `code that crashes its own host goes on behind a mutex whose owner runs`()
      async throws
    {
      let mutex = ContendedMutex()
      defer { mutex.giveUp() }
      let log = Log<String>()
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("host")
        // Only while threads wait, it is looked who has a mutex.
        Thread.detachNewThread { sleep(60) }
        try await Task.sleep(for: .seconds(1))
        await #expect(throws: SimulatedHost.Crash.self) {
          try await host.perform {
            host.crash()
            mutex.use()
            log.append("behind the mutex")
          }
        }
      }
      #expect(log.entries == ["behind the mutex"])
    }

    // MARK: What was given to a thread that ends

    enum Shared: CaseIterable { case lock, semaphore, posixSemaphore, condition }

    /// Functions that wait for something shared, and give it.
    private static func make(
      _ shared: Shared
    ) -> (wait: @Sendable () -> Void, give: @Sendable () -> Void) {
      switch shared {
      case .lock:
        let (lock, isGiven) = (NSLock(), DispatchSemaphore(value: 0))
        Thread.detachNewThread { lock.withLock { isGiven.wait() } }
        return ({ lock.withLock {} }, { isGiven.signal() })
      case .semaphore:
        let semaphore = DispatchSemaphore(value: 0)
        return ({ semaphore.wait() }, { semaphore.signal() })
      case .posixSemaphore:
        nonisolated(unsafe) let locks = make_posix_locks()
        return ({ wait_for_posix_semaphore(locks, -1, false) }, { post_posix_semaphore(locks) })
      case .condition:
        let condition = NSCondition()
        return (
          { condition.withLock { condition.wait() } }, { condition.withLock { condition.signal() } }
        )
      }
    }

    @Test(
      .virtualTime, .plainOrder(because: "The threads come in this order."),
      arguments: Shared.allCases, [false, true])
    func `who waits behind a thread that ends gets what that was given`(
      shared: Shared, isPaused: Bool
    ) async throws {
      let network = try SimulatedNetwork()
      let (host, live) = (network.host("host"), network.host("live"))
      let log = Log<String>()
      let (wait, give) = Self.make(shared)
      for next in [host, live] {
        next.run {
          Thread.detachNewThread {
            wait()
            log.append(next.name)
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
      if isPaused { host.pause() }
      give()
      if isPaused { try await Task.sleep(for: .seconds(1)) }
      host.crash()
      try await Task.sleep(for: .seconds(1))
      #expect(log.entries == ["live"])
    }

    @Test(.virtualTime) func `a unit that nobody else waits for is not lost`() async throws {
      let host = try SimulatedNetwork().host("host")
      let semaphore = DispatchSemaphore(value: 0)
      host.run { Thread.detachNewThread { semaphore.wait() } }
      try await Task.sleep(for: .seconds(1))
      host.pause()
      semaphore.signal()
      host.crash()
      try await Task.sleep(for: .seconds(1))
      #expect(Self.take(semaphore))
    }

    private static func take(_ semaphore: DispatchSemaphore) -> Bool {
      semaphore.wait(timeout: .now()) == .success
    }

    @Test(arguments: [false, true])
    func `a host that stands still at the end of the scope ends as in a crash`(sleeps: Bool)
      async throws
    {
      let log = Log<String>()
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("host")
        host.run {
          await withTaskCancellationHandler {
            try? await Task.sleep(for: .seconds(10))
            log.append("ended")
          } onCancel: {
            log.append("cancelled")
          }
        }
        try await Task.sleep(for: .seconds(1))
        if sleeps { host.suspend() } else { host.pause() }
      }
      #expect(log.entries.isEmpty)
    }

    // MARK: Where a thread ends

    @Test(.virtualTime) func `a block on the main queue keeps the stack of its submitter`()
      async throws
    {
      let host = try SimulatedNetwork().host("host")
      let log = Log<[Int]>()
      host.run {
        Thread.detachNewThread {
          var numbers = [1]
          DispatchQueue.main.sync {
            sleep(2)
            numbers.append(2)
            log.append(numbers)
          }
        }
      }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == [[1, 2]])
    }

    @Test(
      .virtualTime,
      .plainOrder(because: "The thread of the host may go on before the queue is suspended."))
    func `a thread that ends while a queue is suspended gives the queue back`() async throws {
      let host = try SimulatedNetwork().host("host")
      let (queue, first) = (DispatchQueue(label: "queue"), DispatchWorkItem {})
      let log = Log<String>()
      // Suspends the queue when the thread of the host has been let in, and has not gone on.
      Thread.detachNewThread {
        first.wait()
        queue.suspend()
      }
      host.run {
        Thread.detachNewThread {
          queue.async(execute: first)
          queue.sync { log.append("dead") }
        }
      }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      queue.resume()
      queue.async { log.append("live") }
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["live"])
    }

    @Test(.virtualTime) func `code that crashes its own host goes on where it need not wait`()
      async throws
    {
      let host = try SimulatedNetwork().host("host")
      let log = Log<String>()
      let (queue, semaphore) = (DispatchQueue(label: "queue"), DispatchSemaphore(value: 1))
      host.run {
        Thread.detachNewThread {
          queue.sync { host.crash() }
          queue.sync { log.append("queue") }
          semaphore.wait()
          log.append("semaphore")
          sleep(1)
          log.append("gone")
        }
      }
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["queue", "semaphore"])
    }

    @Test(.virtualTime, arguments: [false, true])
    func `time goes on for those who wait for the queue of a thread that has ended`(
      isSync: Bool
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      let queue = DispatchQueue(label: "queue")
      let log = Log<String>()
      let body: @Sendable () -> Void = {
        host.crash()
        sleep(1)
      }
      host.run {
        if isSync {
          Thread.detachNewThread { queue.sync(execute: body) }
        } else {
          queue.async(execute: body)
        }
      }
      try await Task.sleep(for: .seconds(1))
      queue.async { log.append("live") }
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == [])
    }

    @Test(.virtualTime) func `a mutex of a thread that has ended is waited for in virtual time`()
      async throws
    {
      let host = try SimulatedNetwork().host("host")
      let lock = NSLock()
      host.run { Thread.detachNewThread { lock.withLock { _ = sleep(60) } } }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      try await Task.sleep(for: .seconds(1))
      let start = ContinuousClock.now
      #expect(!Self.lock(lock, for: 5))
      #expect(ContinuousClock.now - start == .seconds(5))
    }

    private static func lock(_ lock: NSLock, for seconds: Double) -> Bool {
      lock.lock(before: .now + seconds)
    }

    @Test(.virtualTime, .withoutThreadSanitizer)
    func `a thread does not end with a lock that it got after the crash`() async throws {
      let host = try SimulatedNetwork().host("host")
      nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
      pthread_rwlock_init(lock, nil)
      let log = Log<String>()
      let use: @Sendable (String, @escaping @Sendable () -> Void) -> Void = { name, body in
        Thread.detachNewThread {
          pthread_rwlock_wrlock(lock)
          body()
          log.append(name)
          pthread_rwlock_unlock(lock)
        }
      }
      use("first") { sleep(10) }
      try await Task.sleep(for: .seconds(1))
      host.run { use("host") { _ = Date() } }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      try await Task.sleep(for: .seconds(10))
      use("last") {}
      try await Task.sleep(for: .seconds(1))
      #expect(log.entries == ["first", "host", "last"])
    }

    @Test func `after the scope, no block of a host runs that has crashed`() async throws {
      let log = Log<String>()
      let (queue, group) = (DispatchQueue(label: "queue"), DispatchGroup())
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("host")
        queue.async { sleep(10) }
        group.enter()
        try await Task.sleep(for: .seconds(1))
        host.run {
          queue.async { log.append("block") }
          group.notify(queue: queue) { log.append("notice") }
        }
        try await Task.sleep(for: .seconds(1))
        host.crash()
      }
      group.leave()
      await withCheckedContinuation { done in queue.async { done.resume() } }
      #expect(log.entries == [])
    }
  }
#endif
