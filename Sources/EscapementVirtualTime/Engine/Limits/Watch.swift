import CVirtualTime

/// How long a scope has gone on as it does, in real time.
///
/// The scope is looked at again and again. Between two looks only that time counts in which
/// something could have happened: a process that was stopped, or a thread that got no processor,
/// has not waited.
struct Watch {
  /// The result of a look.
  enum Finding {
    /// The scope may go on.
    case fine
    /// The scope has gone on like this for too long.
    case tooLong
  }

  /// The observed wait or job, of which a new one restarts the watch.
  struct Subject: Equatable {
    /// The number of hand-overs of the baton.
    let baton: Int
    /// How many jobs have begun, while a thread has the baton.
    let job: Int64
    /// The virtual time.
    let time: Nanoseconds
  }

  /// How often at least a wait is looked at before it is too long.
  static let looks: Nanoseconds = 8
  private static let shortestSlice: Nanoseconds = 1_000_000

  /// How long until the next look at something that may go on for so long.
  static func slice(of patience: Nanoseconds) -> Nanoseconds {
    max(shortestSlice, patience / looks)
  }

  private var subject: Subject?
  private var elapsed: Nanoseconds = 0
  private var lastLook: Nanoseconds = 0
  private var processorTime: Nanoseconds?

  /// Looks at what goes on.
  ///
  /// - Parameters:
  ///   - subject: The wait or job that goes on.
  ///   - patience: How long it may go on.
  ///   - realTime: When.
  ///   - effort: What the thread is doing that has the baton, if there is one.
  ///   - share: How much of the processors that it could use the process gets, from 0 to 1; 0 if
  ///     what the scope waits for cannot have happened.
  mutating func look(
    at subject: Subject, _ patience: Nanoseconds, _ realTime: Nanoseconds, effort: cvt_effort?,
    share: Double
  ) -> Finding {
    if subject == self.subject {
      let sinceLastLook = max(0, min(realTime - lastLook, 2 * Watch.slice(of: patience)))
      elapsed += ran(effort, in: sinceLastLook) ?? Nanoseconds(Double(sinceLastLook) * share)
      lastLook = max(lastLook, realTime)
    } else {
      (self.subject, elapsed, lastLook) = (subject, 0, realTime)
    }
    processorTime = effort?.processor_time
    return elapsed < patience ? .fine : .tooLong
  }

  /// How long the thread has run since the last look; `nil` if it waits, or there is none.
  private func ran(_ effort: cvt_effort?, in time: Nanoseconds) -> Nanoseconds? {
    guard let effort, !effort.is_waiting else { return nil }
    return processorTime.map { max(0, min(effort.processor_time - $0, time)) } ?? 0
  }
}
