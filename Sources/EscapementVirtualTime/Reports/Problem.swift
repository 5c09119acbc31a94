import IssueReporting

/// A failure or a warning about a scope, ready to be reported.
struct Problem: Sendable {
  let severity: IssueSeverity
  private let text: @Sendable () -> String

  /// The text is made when it is asked for, since to find the lines of places takes time.
  init(severity: IssueSeverity, message: @autoclosure @escaping @Sendable () -> String) {
    self.severity = severity
    text = message
  }

  var message: String { text() }
}

/// The state of a scope at the moment of a report.
struct Situation: Sendable {
  let now: Nanoseconds
  let mode: VirtualTimeOptions.Mode
  /// The tasks that wait, without the body.
  let others: [Leftover]
  /// Where the body waits.
  let bodyPlace: WaitingPlace?
  /// What tasks wait for, as far as that is known.
  let awaited: [String]

  /// A paragraph that says where the body waits, if that is known.
  var bodyWaits: String {
    bodyPlace?.description.map { "The body waits in \($0).\n\n" } ?? ""
  }

  var waiting: String { bullets(others) }

  /// A paragraph that says what the body and others wait for.
  var waits: String {
    let others =
      others.isEmpty
      ? "No other task of the scope is known to be waiting."
      : "These other tasks of the scope are waiting:\n\(waiting)"
    let awaited =
      awaited.isEmpty
      ? "" : "The test waits for events that have not come:\n\(bullets(awaited))\n\n"
    return bodyWaits + awaited + others
  }

  /// A paragraph on sleeps that only the test can end, if there are any.
  var sleepsUntilMoved: String {
    guard mode == .manual, others.contains(where: { $0.sleep != nil }) else { return "" }
    return """
      Time is moved by hand in this scope, and these sleeps end only when the test moves it: \
      advance time to the next deadline, or use the automatic mode.


      """
  }
}

/// How many items of a list are shown.
let shownItems = 10

/// A bulleted list of the first items, and the number of the others.
func bullets(_ items: [some CustomStringConvertible]) -> String {
  let shown = items.prefix(shownItems).map { "  - \($0)" }
  let more = items.count > shownItems ? ["  - and \(items.count - shownItems) more"] : []
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
    return Problem(
      severity: .error,
      message: """
        The virtual-time scope is stuck at +\(situation.now.duration): its body is waiting, no \
        task of the scope can run, and time is not going to move. \(waited)

        \(situation.waits)

        \(situation.sleepsUntilMoved)The body may be waiting for a continuation that is never \
        resumed, a stream that is never finished, or a test clock that is never advanced. Find the \
        code that should have resumed the body.

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

  static func foreignEventLoop(at now: Nanoseconds, isShared: Bool) -> Problem {
    Problem(
      severity: .error,
      message: """
        The virtual-time scope has used an event loop at +\(now.duration) that is not its own. \
        \(isShared ? "It is one that SwiftNIO shares in the process" : "It was made elsewhere"). It \
        runs in real time, and time in the scope moves on meanwhile.

        Make the event loops inside the scope, as in \
        'MultiThreadedEventLoopGroup(numberOfThreads: 1)', and give them to servers and clients.\
        \(isShared ? " Or let the scope have the shared ones: '.virtualTime(.sharedEventLoops)'." : "") \
        If the loop talks to another machine or process, wrap that work in 'hold { }'.

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

        \(situation.bodyWaits)These tasks of the scope are waiting:
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
    return Problem(
      severity: policy == .fail || !unresponsive.isEmpty ? .error : .warning,
      message: """
        \(leftovers.count) \(leftovers.count == 1 ? "task was" : "tasks were") left over when the \
        body of the virtual-time scope ended:
        \(bullets(leftovers))

        The scope has cancelled \(leftovers.count == 1 ? "it" : "them"). In an app, such a task \
        would go on. Cancel or await each task before the body ends, or choose \
        'leftovers: .ignore'.\(paragraph(on: unresponsive))
        """)
  }

  private static func paragraph(on unresponsive: [Leftover]) -> String {
    guard !unresponsive.isEmpty else { return "" }
    return """


      These tasks have ignored their cancellation, and the scope has abandoned them:
      \(bullets(unresponsive))

      A loop may discard CancellationError, as 'try? await Task.sleep' does. Or a task waits for \
      a continuation that is not resumed on cancellation. Let each task end when it is cancelled.
      """
  }
}
