import _EscapementCore

/// What a ``TestClock`` knows: the time, who sleeps, and who waits for sleepers.
struct TestClockState<Instant: InstantProtocol> {
  /// One sleep.
  struct Sleep {
    var sleeper = Sleeper()
    let taskName: String?
  }

  /// Invariant: every deadline in `sleeps` is later than `now`.
  private(set) var now: Instant
  var minimumResolution: Instant.Duration = .zero
  private(set) var sleeps = TimerQueue<Instant, Sleep>()
  /// Who waits until so many sleep.
  private var watchers = TimerQueue<Int, Sleeper>()
  private(set) var armed = 0
  private(set) var ended = 0

  init(now: Instant) {
    self.now = now
  }
}

// MARK: - Sleeping

extension TestClockState {
  /// A sleep that has begun, and whom that brings back.
  struct Arming {
    let token: TimerToken
    let watchers: [Sleeper]
  }

  mutating func arm(until deadline: Instant, taskName: String?) -> Arming? {
    guard deadline > now else { return nil }
    let token = sleeps.insert(Sleep(taskName: taskName), at: deadline)
    armed += 1
    return Arming(token: token, watchers: watchers.isEmpty ? [] : popSatisfiedWatchers())
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

extension TestClockState {
  /// What one step towards an instant does.
  enum Step {
    /// Time stands at a deadline, and this sleep is over.
    case wake(Sleeper)
    /// Nobody sleeps until that instant or before it, and time stands there.
    case arrive
  }

  mutating func step(to target: Instant) -> Step {
    guard let deadline = sleeps.firstDeadline, deadline <= target, let next = sleeps.popFirst()
    else {
      // Somebody else may have moved time further meanwhile.
      now = max(now, target)
      return .arrive
    }
    now = max(now, deadline)
    ended += 1
    return .wake(next.element.sleeper)
  }

  /// Ends all sleeps at the present time.
  mutating func removeAllSleeps() -> [Sleeper] {
    var sleepers: [Sleeper] = []
    while let next = sleeps.popFirst() { sleepers.append(next.element.sleeper) }
    ended += sleepers.count
    return sleepers
  }
}

// MARK: - Watching

extension TestClockState {
  mutating func watch(count: Int) -> TimerToken? {
    guard count > sleeps.count else { return nil }
    return watchers.insert(Sleeper(), at: count)
  }

  mutating func suspendWatcher(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    watchers.update(token) { $0.continuation = continuation }
  }

  mutating func cancelWatcher(_ token: TimerToken) -> Sleeper? {
    watchers.remove(token)
  }

  private mutating func popSatisfiedWatchers() -> [Sleeper] {
    var satisfied: [Sleeper] = []
    while let count = watchers.firstDeadline, count <= sleeps.count,
      let next = watchers.popFirst()
    {
      satisfied.append(next.element)
    }
    return satisfied
  }
}
