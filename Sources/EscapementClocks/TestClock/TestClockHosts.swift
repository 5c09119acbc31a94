import _EscapementCore

// Types of their own, so that their events are no methods of the clock.

/// The clock as the host of its sleeps.
struct TestClockSleeps<Duration: DurationProtocol & Hashable>: SleepHost {
  let clock: TestClock<Duration>

  // The sleeping task comes from another module, through the witness table of `Clock`, where the
  // compiler cannot specialise: left generic, a sleep takes six times as long. It does not honour
  // `@_specialize` on asynchronous functions, so each event has it.

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

/// The clock as the host of those who wait until a number of tasks sleep on it.
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
