/// The decisions of a debouncer.
///
/// Instants are durations since the debouncer was created.
///
/// A *burst* begins with an action and ends when no action has come for the delay. Each burst has a
/// sleeper, which is a task that sleeps until the burst is due. A new action only moves that
/// instant to a later one. So the sleeper need not be woken: it asks the machine when its sleep
/// ends.
struct DebouncerStateMachine<Action> {
  private struct Burst {
    let id: Int
    var kept: Action?
    /// The instant at which the burst is over, if no other action comes.
    var quietAt: Duration
    /// The instant at which the kept action runs even if the burst goes on.
    ///
    /// Without a trailing edge there is no such action, and the burst ends.
    var latestAt: Duration?

    /// The next instant at which the burst is over or its kept action runs.
    var dueAt: Duration { min(quietAt, latestAt ?? quietAt) }

    /// Keeps an action.
    ///
    /// If none was kept before, it runs at `latestAt` or earlier.
    mutating func keep(_ action: Action, until latestAt: Duration?) {
      if kept == nil { self.latestAt = latestAt }
      kept = action
    }
  }

  private let delay: Duration
  private let maximumWait: Duration?
  private let edges: Debouncer.Edges
  private var burst: Burst?
  private var lastID = 0

  init(delay: Duration, maximumWait: Duration?, edges: Debouncer.Edges) {
    self.delay = delay
    self.maximumWait = maximumWait
    self.edges = edges
  }

  /// The consequences of a new action.
  struct Execution {
    /// An action that was due before the new one came, and that the sleeper has not taken yet.
    var overdue: Action?
    /// The new action, if it runs at once because it is the first of a burst.
    var leading: Action?
    /// A new burst, which needs a sleeper.
    var begun: (id: Int, dueAt: Duration)?
  }

  mutating func execute(_ action: Action, now: Duration) -> Execution {
    var execution = Execution()
    if let burst, now >= burst.dueAt { execution.overdue = takeKept(now: now) }
    if var burst {
      burst.quietAt = now + delay
      if edges.contains(.trailing) { burst.keep(action, until: maximumWait.map { now + $0 }) }
      self.burst = burst
      return execution
    }
    lastID += 1
    var burst = Burst(id: lastID, quietAt: now + delay)
    if edges.contains(.leading) {
      execution.leading = action
      if edges == .leading { burst.latestAt = maximumWait.map { now + $0 } }
    } else {
      burst.keep(action, until: maximumWait.map { now + $0 })
    }
    execution.begun = (burst.id, burst.dueAt)
    self.burst = burst
    return execution
  }

  /// The next step of a sleeper.
  enum Next {
    case sleep(until: Duration)
    /// Switch to the actor of the action, and take the action there.
    case run(Action)
    case end
  }

  /// Returns the next step of the sleeper of a burst.
  mutating func wake(_ id: Int, now: Duration) -> Next {
    guard let burst, burst.id == id else { return .end }
    guard now >= burst.dueAt else { return .sleep(until: burst.dueAt) }
    if let kept = burst.kept { return .run(kept) }
    self.burst = nil
    return .end
  }

  /// Takes the kept action of a burst if it is due and can run on the actor of the caller.
  mutating func takeDue(
    _ id: Int, now: Duration, ifPossible canRun: (Action) -> Bool
  ) -> Action? {
    guard let burst, burst.id == id, now >= burst.dueAt, let kept = burst.kept, canRun(kept) else {
      return nil
    }
    return takeKept(now: now)
  }

  /// Takes the kept action before the burst is over.
  mutating func flush(now: Duration) -> Action? {
    takeKept(now: now)
  }

  /// Drops the kept action and ends the burst.
  mutating func cancel() {
    burst = nil
  }

  /// Whether there is no burst.
  var isIdle: Bool { burst == nil }

  /// Whether a burst goes on and needs its sleeper.
  func needsSleeper(_ id: Int) -> Bool { burst?.id == id }

  private mutating func takeKept(now: Duration) -> Action? {
    guard var burst else { return nil }
    let kept = burst.kept.take()
    if edges.contains(.trailing) { burst.latestAt = nil }
    // With a leading edge the burst goes on until no action has come for the delay. So the next
    // action of the burst is not a leading one.
    let goesOn = edges.contains(.leading) && now < burst.dueAt
    self.burst = goesOn ? burst : nil
    return kept
  }
}
