/// The decisions of a debouncer; instants are durations since it was created.
///
/// A *burst* begins with an action and ends when none has come for the delay. A sleeper belongs to
/// each burst. Its deadline only ever moves to later, so that it need not be told: it finds out when
/// it wakes.
struct DebouncerStateMachine<Action> {
  private struct Burst {
    let id: Int
    var kept: Action?
    /// When the burst is over, if no other action comes.
    var quietAt: Duration
    /// When the kept action runs although the burst goes on.
    var latestAt: Duration?

    /// When there is something to do.
    var dueAt: Duration { min(quietAt, latestAt ?? quietAt) }

    /// Keeps an action, until `latestAt` at most if none has been kept before.
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

  /// What an action leads to.
  struct Execution {
    /// Was due before this action came, and has not been fetched by the sleeper yet.
    var overdue: Action?
    /// Runs at once, because it is the first of a burst.
    var leading: Action?
    /// The burst that has begun and needs a sleeper.
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
    } else {
      burst.keep(action, until: maximumWait.map { now + $0 })
    }
    execution.begun = (burst.id, burst.dueAt)
    self.burst = burst
    return execution
  }

  /// What a sleeper does next.
  enum Next {
    case sleep(until: Duration)
    /// Go where the action runs, and take it there.
    case run(Action)
    case end
  }

  /// Tells the sleeper of a burst what to do.
  mutating func wake(_ id: Int, now: Duration) -> Next {
    guard let burst, burst.id == id else { return .end }
    guard now >= burst.dueAt else { return .sleep(until: burst.dueAt) }
    if let kept = burst.kept { return .run(kept) }
    self.burst = nil
    return .end
  }

  /// Takes the kept action of a burst, if it is due and still the one that runs here.
  mutating func takeDue(
    _ id: Int, now: Duration, ifPossible canRun: (Action) -> Bool
  ) -> Action? {
    guard let burst, burst.id == id, now >= burst.dueAt, let kept = burst.kept, canRun(kept) else {
      return nil
    }
    return takeKept(now: now)
  }

  /// Takes the kept action before its time.
  mutating func flush(now: Duration) -> Action? {
    takeKept(now: now)
  }

  /// Drops the kept action and ends the burst.
  mutating func cancel() {
    burst = nil
  }

  /// Whether there is no burst.
  var isIdle: Bool { burst == nil }

  /// Whether the sleeper of a burst still has something to wait for.
  func needsSleeper(_ id: Int) -> Bool { burst?.id == id }

  private mutating func takeKept(now: Duration) -> Action? {
    guard var burst else { return nil }
    let kept = burst.kept.take()
    burst.latestAt = nil
    // With a leading edge the burst goes on until it is quiet, so that it does not lead again.
    let goesOn = edges.contains(.leading) && now < burst.quietAt
    self.burst = goesOn ? burst : nil
    return kept
  }
}
