#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Android)
  public import Android
#endif

/// A value that can only be accessed while a lock is held.
///
/// Built on `pthread_mutex_t` and not on `Synchronization.Mutex`, which needs macOS 15. On Linux
/// the slow path of `Mutex` is in the runtime, which Thread Sanitizer does not instrument. With it,
/// Thread Sanitizer would report races that do not exist, in the tests of every user.
@frozen public struct Lock<State>: ~Copyable, @unchecked Sendable {
  // Sendable because the pointee is only accessed between `pthread_mutex_lock` and `_unlock`.
  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  @usableFromInline @frozen struct Storage {
    @usableFromInline var mutex = pthread_mutex_t()
    @usableFromInline var state: State
    @inlinable init(state: State) { self.state = state }
  }

  /// Creates a lock that protects a value.
  @inlinable public init(_ state: sending State) {
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage(state: state))
    #if canImport(Glibc)
      // Virtual time tells by the kind that the lock is held for a moment only; see `Conditions.c`.
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
      let code = pthread_mutex_init(mutex, &attributes)
    #else
      let code = pthread_mutex_init(mutex, nil)
    #endif
    precondition(code == 0, "pthread_mutex_init failed with code \(code)")
  }

  @inlinable deinit {
    pthread_mutex_destroy(mutex)
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  @inlinable var mutex: UnsafeMutablePointer<pthread_mutex_t> {
    UnsafeMutableRawPointer(storage).assumingMemoryBound(to: pthread_mutex_t.self)
  }

  /// Runs `body` with the state.
  ///
  /// `body` must not call user code, resume a continuation or cancel a task.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&storage.pointee.state)
  }
}
