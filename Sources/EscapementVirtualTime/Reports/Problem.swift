import IssueReporting

/// A failure or a warning about a scope, ready to be reported.
struct Problem: Sendable {
  let severity: IssueSeverity
  let message: String
}

/// The state of a scope at the moment of a report.
struct Situation {
  let now: Nanoseconds
  let mode: VirtualTimeOptions.Mode
  let sleeping: [Sleep]
  let living: [UnsafeMutableRawPointer]

  var waiting: String { bullets(Leftover.list(sleeping, living)) }
}

/// A bulleted list of the first ten items, and the number of the others.
func bullets(_ items: [some CustomStringConvertible]) -> String {
  let shown = items.prefix(10).map { "  - \($0)" }
  let more = items.count > 10 ? ["  - and \(items.count - 10) more"] : []
  return (shown + more).joined(separator: "\n")
}

extension Problem {
  /// - Parameter limit: How long the scope has waited in real time; `nil` if it does not wait.
  static func stuck(_ situation: Situation, after limit: Duration?) -> Problem {
    let waited =
      limit.map {
        """
        Nothing outside the scope has resumed a task of the scope within \($0) of real time.
        """
      } ?? "Nothing outside the scope resumes a task of the scope."
    let others =
      situation.waiting.isEmpty
      ? "No other task of the scope is known to be waiting."
      : "These other tasks of the scope are waiting:\n\(situation.waiting)"
    let manual =
      situation.mode == .manual && !situation.sleeping.isEmpty
      ? """
      Time is moved by hand in this scope, and these sleeps end only when the test moves it: \
      advance time to the next deadline, or use the automatic mode.


      """ : ""
    return Problem(
      severity: .error,
      message: """
        The virtual-time scope is stuck at +\(situation.now.duration): its body is waiting, no \
        task of the scope can run, and time is not going to move. \(waited)

        \(others)

        \(manual)The body may be waiting for a continuation that is never resumed, a stream that \
        is never finished, or a test clock that is never advanced. Find the code that should have \
        resumed the body.

        The body may also be waiting for slow work outside the scope: a callback on another \
        thread, a dispatch queue, or I/O. Wrap that work in 'hold { }' of the scope's handle, or \
        raise 'stallLimit'.

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
        real time: a 'hold { }' has not ended.

        The work inside the hold may wait for a callback that is never called. Or it takes longer \
        than 'holdLimit' allows. Make sure that each callback is called, or raise 'holdLimit'.

        The body has been cancelled.
        """)
  }

  static func endlessJobs(at now: Nanoseconds, limit: Int, _ witnesses: [TaskDescription])
    -> Problem
  {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope is endless: \(limit) jobs have run at +\(now.duration) without a \
        pause, and time only moves when no job can run.

        The last jobs belong to:
        \(bullets(witnesses))

        There may be a loop that yields and never sleeps, or a loop that ignores the error of a \
        cancelled sleep, as 'try? await Task.sleep' does. Let the loop sleep, and let it end when \
        it is cancelled. If the test really does so much work at one instant, raise 'jobLimit'.

        The body has been cancelled.
        """)
  }

  static func endlessEvents(_ situation: Situation, limit: Int) -> Problem {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope is endless: \(limit) deadlines have passed, up to \
        +\(situation.now.duration), and its body is still waiting.

        These tasks of the scope are waiting:
        \(situation.waiting)

        A repeating timer may keep time moving while the body waits for an event that never \
        happens. Find the code that should have resumed the body. If the simulation is really \
        that long, raise 'eventLimit'.

        The body has been cancelled.
        """)
  }

  /// - Parameter unresponsive: The tasks that have not ended after they were cancelled.
  static func leftovers(
    _ leftovers: [Leftover], unresponsive: [Leftover], policy: VirtualTimeOptions.Leftovers
  ) -> Problem? {
    guard policy != .ignore else { return nil }
    var parts = [
      """
      \(leftovers.count) \(leftovers.count == 1 ? "task was" : "tasks were") left over when the \
      body of the virtual-time scope ended:
      \(bullets(leftovers))

      The scope has cancelled \(leftovers.count == 1 ? "it" : "them"). In an app, such a task \
      would go on. Cancel or await each task before the body ends, or choose 'leftovers: .ignore'.
      """
    ]
    if !unresponsive.isEmpty {
      parts.append(
        """
        These tasks have ignored their cancellation, and the scope has abandoned them:
        \(bullets(unresponsive))

        A loop may discard CancellationError, as 'try? await Task.sleep' does. Or a task waits for \
        a continuation that is not resumed on cancellation. Let each task end when it is cancelled.
        """)
    }
    return Problem(
      severity: policy == .fail || !unresponsive.isEmpty ? .error : .warning,
      message: parts.joined(separator: "\n\n"))
  }
}
