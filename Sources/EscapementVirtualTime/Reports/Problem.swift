import IssueReporting

/// Something that went wrong in a scope, as its report shows it.
struct Problem: Sendable {
  let severity: IssueSeverity
  let message: String
}

/// What is reported of a scope at one moment.
struct Situation {
  let now: Nanoseconds
  let mode: VirtualTimeOptions.Mode
  let sleeping: [SleepingTask]
  let living: [UnsafeMutableRawPointer]

  var waiting: String { bullets(Leftover.list(sleeping, living)) }
}

/// A list of at most ten lines.
func bullets(_ items: [some CustomStringConvertible]) -> String {
  let shown = items.prefix(10).map { "  - \($0)" }
  let more = items.count > 10 ? ["  - and \(items.count - 10) more"] : []
  return (shown + more).joined(separator: "\n")
}

extension Problem {
  static func stuck(_ situation: Situation, after limit: Duration) -> Problem {
    let others =
      situation.waiting.isEmpty
      ? "No other task of the scope is known to wait."
      : "Other tasks of the scope wait:\n\(situation.waiting)"
    let manual =
      situation.mode == .manual && !situation.sleeping.isEmpty
      ? """
      Time is moved by hand in this scope: advance it beyond the next deadline, or use the \
      automatic mode.


      """ : ""
    return Problem(
      severity: .error,
      message: """
        The virtual-time scope is stuck at +\(situation.now.duration): its body has not ended, \
        nothing in the scope can run, and no deadline is going to wake it. \(limit) of real time \
        have passed without a sign from outside.

        \(others)

        \(manual)This may mean that the body waits for a continuation that nobody resumes, a \
        stream that nobody finishes, or a clock that nobody advances.

        If it waits for work outside the scope (a callback of another thread, a dispatch queue, \
        I/O), put that into 'hold { }' of the scope's handle, or raise 'stallLimit'.

        The body has been cancelled.
        """)
  }

  static func waitedElsewhere(_ situation: Situation, after limit: Duration) -> Problem {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope is stuck at +\(situation.now.duration): for more than \(limit) of \
        real time a task of it has waited for an actor that runs elsewhere, or has run there.

        The actor may be busy with other work, or have an executor that does not run it. If it has \
        so much to do, raise 'holdLimit'.

        The body has been cancelled.
        """)
  }

  static func heldForTooLong(_ situation: Situation, after limit: Duration) -> Problem {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope is held at +\(situation.now.duration) for more than \(limit) of \
        real time.

        A 'hold { }' waits for work outside the scope, which has not come back. There may be a \
        callback that is never called, or the work takes longer than 'holdLimit', which can be \
        raised.

        The body has been cancelled.
        """)
  }

  static func endlessJobs(at now: Nanoseconds, limit: Int, _ witnesses: [TaskDescription])
    -> Problem
  {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope is endless: \(limit) jobs have run at +\(now.duration), and time \
        could not move.

        What keeps it going:
        \(bullets(witnesses))

        This may be a loop that yields and never sleeps, or one that ignores the error of a \
        cancelled sleep. If so much work at one instant is meant, raise 'jobLimit'.

        The body has been cancelled.
        """)
  }

  static func endlessEvents(_ situation: Situation, limit: Int) -> Problem {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope is endless: \(limit) deadlines have passed, up to \
        +\(situation.now.duration), and its body waits on.

        What keeps it going:
        \(situation.waiting)

        A timer that is armed again for ever keeps time moving, while the body waits for something \
        that does not come, or for a very late instant. If so long a simulation is meant, raise \
        'eventLimit'.

        The body has been cancelled.
        """)
  }

  /// - Parameter unresponsive: Those that have not ended although they were cancelled.
  static func leftovers(
    _ leftovers: [Leftover], unresponsive: [Leftover], policy: VirtualTimeOptions.Leftovers
  ) -> Problem? {
    guard policy != .ignore else { return nil }
    var parts = [
      """
      \(leftovers.count) \(leftovers.count == 1 ? "task was" : "tasks were") left over when the \
      body of the virtual-time scope ended:
      \(bullets(leftovers))

      They have been cancelled. Cancel them before the body ends (as the owner of a real one would \
      do), wait for them, or choose 'leftovers: .ignore'.
      """
    ]
    if !unresponsive.isEmpty {
      parts.append(
        """
        These have ignored their cancellation, and have been let go:
        \(bullets(unresponsive))

        A loop may swallow CancellationError, as 'try? await Task.sleep' does, or somebody waits \
        for a continuation that is not resumed on cancellation.
        """)
    }
    return Problem(
      severity: policy == .fail || !unresponsive.isEmpty ? .error : .warning,
      message: parts.joined(separator: "\n\n"))
  }
}
