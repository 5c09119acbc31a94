#if os(Linux)

  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// A mutex of the C library.
  private final class CMutex: @unchecked Sendable {
    // Sendable because threads share mutexes.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
  }

  /// What a thread outside the scope does, while it has the lock of the overrides.
  private final class OutsideThread: Sendable {
    let outer = CMutex()
    let hasBegun = Log<Void>()
    private let mayBegin = Flag()
    private let end = DispatchSemaphore(value: 0)

    init() {
      Thread.detachNewThread { [self] in
        while !mayBegin.isSet { usleep(100) }
        with_lock_of_overrides(
          {
            let outside = Unmanaged<OutsideThread>.fromOpaque($0).takeUnretainedValue()
            outside.hasBegun.append(())
            outside.outer.lock()
            outside.outer.unlock()
          }, Unmanaged.passUnretained(self).toOpaque())
        end.signal()
      }
    }

    /// Lets the thread begin, and returns when it has the lock.
    ///
    /// Without a semaphore: to signal one takes the lock, which this thread could not do after the other has it.
    func begin() {
      mayBegin.set()
      while hasBegun.entries.isEmpty {}
    }

    func join() { end.wait() }
  }

  @Suite(.virtualStandardClocks) struct MutexTests {
    /// Another thread may have the lock of the overrides and wait for the first mutex: for one of the
    /// runtime, in Swift code of the engine.
    @Test func `a thread that has a mutex does not wait for the lock of the overrides`()
      async throws
    {
      let outside = OutsideThread()
      let options = VirtualTimeOptions(queuesAndThreads: .virtual)
      let waited = try await withVirtualTime(options) { time in
        let (awaited, inner) = (CMutex(), CMutex())
        Thread.detachNewThread {
          awaited.lock()
          sleep(1)
          awaited.unlock()
        }
        let waited = Log<Duration>()
        Thread.detachNewThread {
          awaited.lock()
          waited.append(time.now.offset)
          awaited.unlock()
        }
        try await Task.sleep(for: .milliseconds(500))
        // A thread waits for a mutex in the scope's time now, so that others tell what they unlock.
        outside.outer.lock()
        inner.lock()
        outside.begin()
        inner.unlock()
        outside.outer.unlock()
        try await Task.sleep(for: .seconds(1))
        return waited.entries
      }
      outside.join()
      #expect(waited == [.seconds(1)])
    }
  }

#endif
