#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// Threads of a crashed host, and mutexes that all of the process shares, as the runtime's are.
  @Suite struct CrashWithLockTests {
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
  }
#endif
