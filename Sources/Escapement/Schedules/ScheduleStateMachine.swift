import _EscapementCore

/// The decisions of a loop that runs a task on a schedule.
///
/// Each run is decided once: it takes place or is missed. What has been decided does not change when the
/// system sets its clock back, unless by more than 3 hours, which Vixie's cron, too, takes as a correction.
struct ScheduleStateMachine {
  typealias Instant = WallClock.Instant

  /// What the loop does next.
  enum Step: Equatable {
    /// Begin the run of this instant.
    case run(Instant)
    /// Ask again at this instant.
    case wait(until: Instant)
    /// There is no further run.
    case finished
  }

  private let schedule: Schedule
  private let missed: MissedRuns
  /// All runs up to here are decided, or pending.
  private var cursor: Instant
  /// The runs that are due, in order.
  ///
  /// Those before `first` have begun.
  private var pending: [Instant]
  private var first = 0

  /// - Parameters:
  ///   - start: The present instant.
  ///   - lastRun: The last run that took place earlier, so that those since then are missed.
  ///   - runsAtStart: Whether a run begins at once.
  init(
    schedule: Schedule, missed: MissedRuns, start: Instant, lastRun: Instant? = nil,
    runsAtStart: Bool = false
  ) {
    self.schedule = schedule
    self.missed = missed
    cursor = min(lastRun ?? start, start)
    pending = runsAtStart ? [start] : []
  }

  /// Decides what to do.
  ///
  /// - Complexity: O(*n*) for *n* runs that have become due since the last call, as far as they count.
  mutating func next(now: Instant) -> Step {
    if now.advanced(by: .seconds(3 * 3600)) < cursor {
      (cursor, pending, first) = (now, [], 0)
    }
    leap(to: now)
    var upcoming: Instant?
    while let run = schedule.next(after: cursor) {
      let begins = schedule.jitter.delayed(run)
      guard begins <= now else {
        upcoming = begins
        break
      }
      cursor = run
      append(run)
    }
    dropLate(now: now)
    if first < pending.count {
      defer { first += 1 }
      return .run(pending[first])
    }
    (pending, first) = ([], 0)
    return upcoming.map { .wait(until: $0) } ?? .finished
  }

  private var capacity: Int {
    switch missed {
    case .skip, .runOnce: 1
    case .catchUp(let count): count
    }
  }

  private mutating func append(_ run: Instant) {
    pending.append(run)
    if pending.count - first > capacity { first += 1 }
    // So that each run is moved a constant number of times.
    if first > 32, first > pending.count / 2 {
      pending.removeFirst(first)
      first = 0
    }
  }

  private mutating func dropLate(now: Instant) {
    guard case .skip(let tolerance) = missed else { return }
    while first < pending.count,
      schedule.jitter.delayed(pending[first]).advanced(by: tolerance) < now
    {
      first += 1
    }
  }

  /// Skips runs that are missed in any case, if they may be many.
  private mutating func leap(to now: Instant) {
    let hour = Duration.seconds(3600)
    // A run begins later than its instant by the jitter.
    let latest = now.advanced(by: .zero - schedule.jitter.longest)
    var window = hour
    while cursor.advanced(by: window) < latest {
      let from = latest.advanced(by: .zero - window)
      var (count, run) = (0, from)
      while count < capacity, let next = schedule.next(after: run), next <= latest {
        (count, run) = (count + 1, next)
      }
      if count == capacity {
        cursor = from
        return
      }
      window = Saturating.product(window, 2)
    }
  }
}
