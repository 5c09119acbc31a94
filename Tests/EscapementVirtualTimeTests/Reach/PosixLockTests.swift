#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// A semaphore of POSIX, and a mutex that can be waited for with a timeout.
  private final class PosixLocks: @unchecked Sendable {
    // Sendable because only functions use the locks that may be called on any thread.
    private let locks = make_posix_locks()

    deinit { free_posix_locks(locks) }

    func wait(for timeout: Duration? = nil, hasClock: Bool = false) -> Int32 {
      wait_for_posix_semaphore(locks, timeout.map { Int64($0 / .nanoseconds(1)) } ?? -1, hasClock)
    }

    func post() { post_posix_semaphore(locks) }

    @discardableResult
    func lock(for timeout: Duration? = nil, hasClock: Bool = false) -> Int32 {
      lock_posix_mutex(locks, timeout.map { Int64($0 / .nanoseconds(1)) } ?? -1, hasClock)
    }

    func unlock() { unlock_posix_mutex(locks) }
  }

  /// Waits for a condition that nobody signals; returns an error number.
  private func waitForCondition(until instant: timespec) -> Int32 {
    var (mutex, condition, instant) = (pthread_mutex_t(), pthread_cond_t(), instant)
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&condition, nil)
    defer {
      pthread_cond_destroy(&condition)
      pthread_mutex_destroy(&mutex)
    }
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return pthread_cond_timedwait(&condition, &mutex, &instant)
  }

  @Suite(.virtualStandardClocks) struct PosixLockTests {
    @Test(arguments: [false, true], [false, true])
    func `a wait for a semaphore times out at its instant`(
      hasClock: Bool, onMain: Bool
    ) async throws {
      for _ in 0..<20 {
        try await withVirtualTime(.reaching) { time in
          let locks = PosixLocks()
          let wait: @Sendable () -> Int32 = { locks.wait(for: .seconds(5), hasClock: hasClock) }
          let result = onMain ? await MainActor.run { wait() } : wait()
          #expect(result == ETIMEDOUT)
          #expect(time.now.offset == .seconds(5))
        }
      }
    }

    @Test(arguments: [nil, 60] as [Int?])
    func `those who wait for a semaphore get it in their order`(seconds: Int?) async throws {
      let log = try await sameLog { log in
        let locks = PosixLocks()
        for i in 0..<3 {
          Thread.detachNewThread {
            log.mark("\(i) \(locks.wait(for: seconds.map { .seconds($0) }))")
          }
        }
        for _ in 0..<3 {
          try await Task.sleep(for: .milliseconds(10))
          locks.post()
        }
        await log.wait(for: 3)
      }
      #expect(log == ["0 0@10", "1 0@20", "2 0@30"])
    }

    @Test func `a semaphore that is free is not waited for`() async throws {
      try await withVirtualTime(.reaching) { time in
        let locks = PosixLocks()
        for _ in 0..<3 { locks.post() }
        #expect(locks.wait() == 0)
        #expect(locks.wait(for: .seconds(1)) == 0)
        #expect(locks.wait(for: .seconds(1), hasClock: true) == 0)
        #expect(locks.wait(for: .zero) == ETIMEDOUT)
        #expect(time.now.offset == .zero)
      }
    }

    @Test func `a wait for a semaphore that is left over goes on in real time`() async throws {
      let (locks, log) = (PosixLocks(), Log<Int32>())
      try await withVirtualTime(.reaching) { _ in
        Thread.detachNewThread { log.append(locks.wait()) }
        try await Task.sleep(for: .milliseconds(1))
      }
      locks.post()
      await log.wait(for: 1)
      #expect(log.entries == [0])
    }

    @Test(arguments: [false, true])
    func `a mutex whose owner sleeps is waited for until the timeout`(
      hasClock: Bool
    ) async throws {
      let log = try await sameLog { log in
        let locks = PosixLocks()
        Thread.detachNewThread {
          locks.lock()
          usleep(30_000)
          locks.unlock()
          log.mark("owner")
        }
        for milliseconds in [20, 40] {
          Thread.detachNewThread {
            let result = locks.lock(for: .milliseconds(milliseconds), hasClock: hasClock)
            log.mark("\(milliseconds) \(result == 0 ? "locked" : "timed out")")
            if result == 0 { locks.unlock() }
          }
        }
        await log.wait(for: 3)
      }
      #expect(log == ["20 timed out@20", "owner@30", "40 locked@30"])
    }

    @Test func `a wait for a condition until an instant that does not exist is refused`()
      async throws
    {
      try await withVirtualTime(.reaching) { time in
        await withCheckedContinuation { done in
          Thread.detachNewThread {
            #expect(waitForCondition(until: timespec(tv_sec: 5, tv_nsec: 1_000_000_000)) == EINVAL)
            #expect(waitForCondition(until: timespec(tv_sec: 5, tv_nsec: -1)) == EINVAL)
            #expect(waitForCondition(until: timespec(tv_sec: -5, tv_nsec: 0)) == ETIMEDOUT)
            #expect(time.now.offset == .zero)
            done.resume()
          }
        }
      }
    }

    @Test func `a mutex that the thread itself has times out at its instant`() async throws {
      try await withVirtualTime(.reaching) { time in
        await withCheckedContinuation { done in
          Thread.detachNewThread {
            let locks = PosixLocks()
            #expect(locks.lock(for: .seconds(1)) == 0)
            #expect(time.now.offset == .zero)
            #expect(locks.lock(for: .seconds(2)) == ETIMEDOUT)
            #expect(time.now.offset == .seconds(2))
            locks.unlock()
            done.resume()
          }
        }
      }
    }
  }
#endif
