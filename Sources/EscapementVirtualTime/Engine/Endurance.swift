import CVirtualTime

/// How long a scope has run jobs, in real time, since virtual time has last moved.
///
/// A single job, and a single wait, have limits of their own. But many short jobs may follow each other
/// without end, and be too slow to reach a number in a time for which a test is waited for.
struct Endurance {
  /// How long time may stand, if no single job and no single wait may take longer.
  static let limit: Duration = .seconds(8)

  /// How long a scope may run until a tenth of its deadlines is too many; for each million.
  static let limitOfSlowDeadlines: Duration = .seconds(6)

  private var standstill = Watch()
  private var turn = 0

  /// Whether the baton has changed hands since the last look.
  func hasMoved(to turn: Int) -> Bool { turn != self.turn }

  /// Looks at a scope, and returns whether time has stood for too long.
  ///
  /// - Parameters:
  ///   - now: The virtual time.
  ///   - turn: What tells one thread that drains the scope from the next one.
  ///   - limit: How long time may stand.
  ///   - realTime: When.
  ///   - effort: What the thread that drains the scope is doing, if there is one.
  ///   - share: How much of the real time counts in which the thread does not run, from 0 to 1.
  mutating func look(
    at now: Nanoseconds, turn: Int, limit: Nanoseconds, _ realTime: Nanoseconds,
    effort: cvt_effort?, share: Double
  ) -> Bool {
    // Processor times of two threads cannot be compared.
    let effort = turn == self.turn ? effort : nil
    self.turn = turn
    let found = standstill.look(
      at: Watch.Turn(baton: 0, job: now), limit, realTime, effort: effort, share: share)
    return found == .tooLong
  }
}
