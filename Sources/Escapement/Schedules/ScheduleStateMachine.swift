import _EscapementCore

/// The decisions of a loop that runs a task on a schedule.
///
/// Each run is decided once: it takes place or is missed. What has been decided does not change
/// when the system sets its clock back, unless by more than 3 hours, which Vixie's cron, too, takes
/// as a correction.
struct ScheduleStateMachine {
  typealias Instant = WallClock.Instant

  /// The next action of the loop.
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
  /// The runs before `first` have begun.
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
  /// - Complexity: O(*n* log *t*), where *n* is the number of missed runs that take place at most,
  ///   and *t* the time since the last call.
  mutating func next(now: Instant) -> Step {
    if now.isCorrection(of: cursor) {
      (cursor, pending, first) = (now, [], 0)
    }
    var upcoming: Instant?
    var untilLeap = 1_000
    while let run = schedule.next(after: cursor) {
      let begins = schedule.jitter.delayed(run)
      guard begins <= now else {
        upcoming = begins
        break
      }
      cursor = run
      append(run)
      untilLeap -= 1
      if untilLeap == 0 { leap(to: now) }
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

  /// Moves to the newest runs that are due, so that the time to decide does not depend on how many
  /// there are.
  private mutating func leap(to now: Instant) {
    // A run begins later than its instant by the jitter.
    let latest = now.advanced(by: .zero - schedule.jitter.longest)
    guard let last = lastRun(through: latest) else { return }
    var window = Duration.nanoseconds(1)
    while true {
      let from = last.advanced(by: .zero - window)
      guard from > cursor else { return }
      var (count, run) = (0, from)
      while count < capacity, let next = schedule.next(after: run), next <= last {
        (count, run) = (count + 1, next)
      }
      if count == capacity {
        cursor = from
        return
      }
      window = Saturating.product(window, 2)
    }
  }

  /// The last run after the cursor, by bisection.
  private func lastRun(through latest: Instant) -> Instant? {
    guard let first = schedule.next(after: cursor), first <= latest else { return nil }
    var (run, upper) = (first, latest)
    // There is no run after `upper`.
    while run < upper {
      let middle = run.advanced(by: run.duration(to: upper) / 2)
      if let next = schedule.next(after: middle), next <= upper {
        run = next
      } else if let next = schedule.next(after: run), next <= middle {
        (run, upper) = (next, middle)
      } else {
        return run
      }
    }
    return run
  }
}
