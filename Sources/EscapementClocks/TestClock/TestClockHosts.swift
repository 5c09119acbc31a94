import _EscapementCore

// These types exist so that the events of `SleepHost` are not methods of the clock.

/// Handles the sleeps of a test clock.
struct TestClockSleeps<Duration: DurationProtocol & Hashable>: SleepHost {
  let clock: TestClock<Duration>

  // Code of another module calls `sleep` through the witness table of `Clock`, so the compiler does
  // not specialise the call. Without `@_specialize` a sleep takes six times as long. The compiler
  // ignores the attribute on asynchronous functions, so each event has it instead.

  @_specialize(where Duration == Swift.Duration)
  func arm(until deadline: TestClock<Duration>.Instant) -> TimerToken? {
    let taskName = currentTaskName
    guard let arming = clock.state.withLock({ $0.arm(until: deadline, taskName: taskName) })
    else { return nil }
    for watcher in arming.watchers { watcher.continuation?.resume() }
    return arming.token
  }

  @_specialize(where Duration == Swift.Duration)
  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
    clock.state.withLock { $0.suspend(token, continuation) }
  }

  @_specialize(where Duration == Swift.Duration)
  func cancel(_ token: TimerToken) -> Sleeper? {
    clock.state.withLock { $0.cancel(token) }
  }

  @_specialize(where Duration == Swift.Duration)
  func didReturn() {
    clock.returned.withLock { $0 &+= 1 }
  }

  private var currentTaskName: String? {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
    return Task.name
  }
}

/// Handles the tasks that wait until a number of tasks sleep on a test clock.
struct TestClockWatchers<Duration: DurationProtocol & Hashable>: SleepHost {
  let clock: TestClock<Duration>

  func arm(until count: Int) -> TimerToken? {
    clock.state.withLock { $0.watch(count: count) }
  }

  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
    clock.state.withLock { $0.suspendWatcher(token, continuation) }
  }

  func cancel(_ token: TimerToken) -> Sleeper? {
    clock.state.withLock { $0.cancelWatcher(token) }
  }
}
