#if canImport(Darwin)
  public import Synchronization
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Android)
  public import Android
#endif

#if canImport(Darwin)

  /// A value that can only be accessed while a lock is held.
  public struct Lock<State>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Unchecked>

    @usableFromInline struct Unchecked: @unchecked Sendable {
      // The mutex serialises every access, so the state itself need not be `Sendable`.
      @usableFromInline var state: State
      @inlinable init(state: State) { self.state = state }
    }

    /// Creates a lock that protects a value.
    @inlinable public init(_ state: sending State) {
      mutex = Mutex(Unchecked(state: state))
    }

    /// Runs `body` with the state.
    ///
    /// `body` must not call user code, resume a continuation or cancel a task.
    @inlinable public func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { (unchecked) throws(Failure) in try body(&unchecked.state) }
    }
  }

#else

  /// A value that can only be accessed while a lock is held.
  ///
  /// Built on `pthread_mutex_t` and not on `Synchronization.Mutex`: on Linux the slow path of the
  /// latter is in the runtime, which Thread Sanitizer does not instrument. With it, Thread Sanitizer
  /// would report races that do not exist, in the tests of every user.
  public struct Lock<State>: ~Copyable, @unchecked Sendable {
    // Sendable because the pointee is only accessed between `pthread_mutex_lock` and `_unlock`.
    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    @usableFromInline struct Storage {
      @usableFromInline var mutex = pthread_mutex_t()
      @usableFromInline var state: State
      @inlinable init(state: State) { self.state = state }
    }

    /// Creates a lock that protects a value.
    @inlinable public init(_ state: sending State) {
      storage = .allocate(capacity: 1)
      storage.initialize(to: Storage(state: state))
      let code = pthread_mutex_init(mutex, nil)
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

#endif
