import CVirtualTime

/// How long a scope has gone on as it does, in real time.
///
/// The scope is looked at again and again. Between two looks only that time counts in which something
/// could have happened: a process that was stopped, or a thread that got no processor, has not waited.
struct Watch {
  /// What is found out by a look.
  enum Finding: Equatable {
    /// Look again after so many nanoseconds.
    case again(after: Nanoseconds)
    /// The scope has gone on like this for too long.
    case tooLong
  }

  /// What is looked at.
  struct Subject {
    /// The turn of the baton.
    let turn: Int
    /// How long it may go on.
    let patience: Nanoseconds
    /// How long until the next look.
    let slice: Nanoseconds
  }

  /// In how many parts a wait is looked at.
  static let slices: Nanoseconds = 8

  private var turn = 0
  private var elapsed: Nanoseconds = 0
  private var lastLook: Nanoseconds = 0
  private var processorTime: Nanoseconds?
  private var isDue = false

  /// Begins to watch.
  ///
  /// Returns when to look, unless a look is due anyway.
  mutating func start(_ subject: Subject, at realTime: Nanoseconds) -> Nanoseconds? {
    restart(subject, at: realTime)
    guard !isDue else { return nil }
    isDue = true
    return subject.slice
  }

  /// There is nothing to watch any more.
  mutating func stop() { isDue = false }

  /// Looks at a subject.
  ///
  /// - Parameters:
  ///   - effort: What the thread is doing that has the baton, if there is one.
  ///   - share: How much of the processors that it could use the process gets, from 0 to 1.
  mutating func look(
    at subject: Subject, _ realTime: Nanoseconds, effort: cvt_effort?, share: Double
  ) -> Finding {
    isDue = false
    if turn == subject.turn {
      // The wait may have begun after this look.
      let sinceLastLook = max(0, min(realTime - lastLook, 2 * subject.slice))
      elapsed += ran(effort, in: sinceLastLook) ?? Nanoseconds(Double(sinceLastLook) * share)
      lastLook = max(lastLook, realTime)
    } else {
      restart(subject, at: realTime)
    }
    processorTime = effort?.processor_time
    guard elapsed < subject.patience else { return .tooLong }
    isDue = true
    return .again(after: min(subject.slice, subject.patience - elapsed))
  }

  /// How long the thread has run since the last look; `nil` if it waits, or there is none.
  private func ran(_ effort: cvt_effort?, in time: Nanoseconds) -> Nanoseconds? {
    guard let effort, !effort.is_waiting else { return nil }
    return processorTime.map { max(0, min(effort.processor_time - $0, time)) } ?? 0
  }

  private mutating func restart(_ subject: Subject, at realTime: Nanoseconds) {
    (turn, elapsed, lastLook, processorTime) = (subject.turn, 0, realTime, nil)
  }
}
