import _EscapementCore

/// The decisions of a ``TestClock``: its time, its sleeps, and the tasks that wait for sleeps.
struct TestClockStateMachine<Instant: InstantProtocol> {
  /// One sleep.
  struct Sleep {
    var sleeper = Sleeper()
    let start: Instant
    let taskName: String?
  }

  /// Invariant: every deadline in `sleeps` is later than `now`.
  private(set) var now: Instant
  var minimumResolution: Instant.Duration = .zero
  private(set) var sleeps = TimerQueue<Instant, Sleep>()
  /// The tasks that wait until a number of sleeps have begun and not ended.
  private var watchers = CountWaiters()
  /// How many sleeps have begun.
  private(set) var armed = 0
  /// How many sleeps have ended, by their deadline or by cancellation.
  private(set) var ended = 0

  init(now: Instant) {
    self.now = now
  }
}

// MARK: - Sleeping

extension TestClockStateMachine {
  /// A started sleep, and the watchers that it satisfies.
  struct Arming {
    let token: TimerToken
    let watchers: [Sleeper]
  }

  mutating func arm(until deadline: Instant, taskName: String?) -> Arming? {
    guard deadline > now else { return nil }
    let token = sleeps.insert(Sleep(start: now, taskName: taskName), at: deadline)
    armed += 1
    return Arming(token: token, watchers: watchers.removeAll(reachedBy: sleeps.count))
  }

  mutating func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    sleeps.update(token) { $0.sleeper.continuation = continuation }
  }

  mutating func cancel(_ token: TimerToken) -> Sleeper? {
    guard let sleep = sleeps.remove(token) else { return nil }
    ended += 1
    return sleep.sleeper
  }
}

// MARK: - Advancing

extension TestClockStateMachine {
  /// The action of one step towards an instant.
  enum Step {
    /// Time has moved to a deadline, and this sleep has ended.
    case wake(Sleeper)
    /// No sleep ends at that instant or before it, and time has moved there.
    case arrive
  }

  mutating func step(to target: Instant) -> Step {
    guard let deadline = sleeps.firstDeadline, deadline <= target, let next = sleeps.popFirst()
    else {
      // Another task may have moved time further in the meantime.
      now = max(now, target)
      return .arrive
    }
    now = max(now, deadline)
    ended += 1
    return .wake(next.element.sleeper)
  }

  /// Makes one step of an advance that has to move time so far.
  ///
  /// Returns how far the step has moved it.
  mutating func step(by distance: Instant.Duration) -> (step: Step, moved: Instant.Duration) {
    let start = now
    let step = step(to: now.advanced(by: distance))
    return (step, start.duration(to: now))
  }

  /// Ends all sleeps without moving time.
  ///
  /// Returns what the caller has to resume.
  mutating func removeAllSleeps() -> [Sleeper] {
    var sleepers: [Sleeper] = []
    while let next = sleeps.popFirst() { sleepers.append(next.element.sleeper) }
    ended += sleepers.count
    return sleepers
  }
}

// MARK: - Watching

extension TestClockStateMachine {
  mutating func watch(count: Int) -> TimerToken? {
    watchers.arm(until: count, count: sleeps.count)
  }

  mutating func suspendWatcher(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    watchers.suspend(token, continuation)
  }

  mutating func cancelWatcher(_ token: TimerToken) -> Sleeper? {
    watchers.cancel(token)
  }
}
