#if os(Linux)
  import CEventFiles
  import Foundation
  import Synchronization

  /// A lock, queue or semaphore that lets in one thread at a time.
  enum KindOfLock: String, CaseIterable, Sendable {
    case mutex, recursiveMutex, checkedMutex, timedMutex, readWriteLock
    case nsLock, nsRecursiveLock, nsCondition, nsConditionLock, lockOfCondition
    case synchronizationMutex
    case dispatchSemaphore, posixSemaphore
    case serialQueue, barrier

    /// Runs a function while the lock is held.
    typealias Hold = @Sendable (() -> Void) -> Void

    func make() -> Hold {
      switch self {
      case .mutex: CMutex(PTHREAD_MUTEX_NORMAL).hold
      case .recursiveMutex: CMutex(PTHREAD_MUTEX_RECURSIVE).hold
      case .checkedMutex: CMutex(PTHREAD_MUTEX_ERRORCHECK).hold
      case .timedMutex: CMutex(PTHREAD_MUTEX_NORMAL).holdWithTimeout
      case .readWriteLock: ReadWriteLock().hold
      case .nsLock: holding(NSLock())
      case .nsRecursiveLock: holding(NSRecursiveLock())
      case .nsCondition: holding(NSCondition())
      case .nsConditionLock: holding(NSConditionLock())
      case .lockOfCondition: ConditionGate().hold
      case .synchronizationMutex: StandardMutex().hold
      case .dispatchSemaphore: holding(DispatchSemaphore(value: 1))
      case .posixSemaphore: PosixGate().hold
      case .serialQueue: holding(DispatchQueue(label: "serial"), isBarrier: false)
      case .barrier:
        holding(DispatchQueue(label: "concurrent", attributes: .concurrent), isBarrier: true)
      }
    }
  }

  private func holding(_ lock: some NSLocking & Sendable) -> KindOfLock.Hold {
    { body in
      lock.lock()
      body()
      lock.unlock()
    }
  }

  /// Without a limit, Foundation on Linux traps if it has to wait.
  private func holding(_ lock: NSConditionLock) -> KindOfLock.Hold {
    { body in
      guard lock.lock(before: Date() + 3_600) else { return }
      body()
      lock.unlock()
    }
  }

  private func holding(_ semaphore: DispatchSemaphore) -> KindOfLock.Hold {
    { body in
      semaphore.wait()
      body()
      semaphore.signal()
    }
  }

  private func holding(_ queue: DispatchQueue, isBarrier: Bool) -> KindOfLock.Hold {
    { body in queue.sync(flags: isBarrier ? .barrier : [], execute: body) }
  }

  private final class CMutex: @unchecked Sendable {
    // Sendable because threads share mutexes.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ kind: Int) {
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(kind))
      pthread_mutex_init(mutex, &attributes)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func hold(_ body: () -> Void) {
      pthread_mutex_lock(mutex)
      body()
      pthread_mutex_unlock(mutex)
    }

    func holdWithTimeout(_ body: () -> Void) {
      var hour = timespec()
      clock_gettime(CLOCK_REALTIME, &hour)
      hour.tv_sec += 3_600
      guard pthread_mutex_timedlock(mutex, &hour) == 0 else { return }
      body()
      pthread_mutex_unlock(mutex)
    }
  }

  private final class ReadWriteLock: @unchecked Sendable {
    // Sendable because threads share the lock.
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { pthread_rwlock_init(lock, nil) }

    deinit {
      pthread_rwlock_destroy(lock)
      lock.deallocate()
    }

    func hold(_ body: () -> Void) {
      pthread_rwlock_wrlock(lock)
      body()
      pthread_rwlock_unlock(lock)
    }
  }

  /// A lock that a condition and a variable make.
  private final class ConditionGate: @unchecked Sendable {
    // Sendable because the variable is only used under the condition's lock.
    private let condition = NSCondition()
    private var isTaken = false

    func hold(_ body: () -> Void) {
      condition.lock()
      while isTaken { condition.wait() }
      isTaken = true
      condition.unlock()
      body()
      condition.lock()
      isTaken = false
      condition.signal()
      condition.unlock()
    }
  }

  private final class StandardMutex: Sendable {
    private let mutex = Mutex(())
    func hold(_ body: () -> Void) { mutex.withLock { _ in body() } }
  }

  private final class PosixGate: @unchecked Sendable {
    // Sendable because threads share semaphores.
    private let locks = make_posix_locks()

    init() { post_posix_semaphore(locks) }
    deinit { free_posix_locks(locks) }

    func hold(_ body: () -> Void) {
      _ = wait_for_posix_semaphore(locks, -1, false)
      body()
      post_posix_semaphore(locks)
    }
  }
#endif
