import IssueReporting

/// A failure or a warning about a scope, ready to be reported.
struct Problem: Sendable {
  let severity: IssueSeverity
  private let text: @Sendable (Life.Body) -> String

  /// `message` is called late: finding the lines of places takes time, and the text says how the
  /// body ended.
  init(severity: IssueSeverity, message: @escaping @Sendable (Life.Body) -> String) {
    self.severity = severity
    text = message
  }

  func message(_ body: Life.Body) -> String { text(body) }
}

extension Life.Body {
  /// The end of a message: how the body ended.
  var outcome: String {
    switch self {
    case .completed: "The body had ended before."
    case .completedAfterLimit: "The body has been cancelled."
    case .givenUp:
      "The body has been cancelled. It has not ended, and the scope no longer runs it."
    }
  }
}

/// The state of a scope at the moment of a report.
struct Situation: Sendable {
  let now: Nanoseconds
  let mode: VirtualTimeOptions.Mode
  /// The tasks that wait, without the body.
  let others: [Leftover]
  /// Whether a hold is open.
  let isHeld: Bool
  /// The wait of the body and its place; `nil` if the body has ended.
  let body: Leftover?
  /// The known events for which tasks wait.
  let awaited: [String]
  /// A circle of tasks that the body does not wait for.
  let deadlock: Deadlock?
  /// The threads that wait for something that the scope does not know.
  let stragglers: [WaitingThread]
  /// The threads that wait for something of the scope, or sleep.
  let parked: [WaitingThread]

  /// The timers that are not sleeps of tasks, the first ones only.
  let timers: [WorkTimer]
  /// The work that may not enter its queue.
  let kept: [Work]

  /// A paragraph on requests to real servers, if a task is seen to wait for one.
  var network: String {
    guard
      body?.place?.isInNetwork == true || others.contains(where: { $0.place?.isInNetwork == true })
    else { return "" }
    return """
      A task waits for a network request, which takes real time. Stub the request\
      \(isHeld ? "" : ", or wrap it in 'hold { }' of the scope's handle").


      """
  }

  /// A paragraph on sleeps that never end, because time stands until the hold of their task ends.
  var sleepsInHolds: String {
    let holders = others.filter(\.isInHold) + [body].compactMap { $0 }.filter(\.isInHold)
    guard holders.contains(where: { $0.sleep != nil }) else { return "" }
    return """
      A task sleeps in virtual time inside 'hold { }', and time stands until the hold ends. Such a sleep \
      never ends: sleep outside of the hold.


      """
  }

  /// A paragraph that says where the body waits, and for what, if that is known.
  private var bodyWaits: String {
    guard let body else { return "" }
    let place = body.place?.description.map { "The body waits in \($0)\(body.wait).\n\n" } ?? ""
    guard case .valueFromOutside = body.awaited else { return place }
    return """
      \(place)The body waits for \(body.awaited). That task takes real time: make it inside the scope.


      """
  }

  /// A paragraph that says what the body and others wait for.
  var waits: String {
    let others =
      others.isEmpty
      ? "No other task of the scope is known to be waiting."
      : "These other tasks of the scope are waiting:\n\(bullets(others))"
    let awaited =
      awaited.isEmpty
      ? "" : "The test waits for events that have not come:\n\(bullets(awaited))\n\n"
    return bodyWaits + awaited + circle + blockedThreads + parkedThreads + keptWork + workTimers
      + others
  }

  /// A paragraph on tasks that wait for each other, if there are any.
  private var circle: String {
    deadlock.map {
      "These tasks wait for each other, so that none of them ever ends:\n\($0)\n\n"
    } ?? ""
  }

  /// A paragraph on work that waits for its queue, if there is any.
  private var keptWork: String {
    kept.isEmpty
      ? ""
      : """
      This work of the scope waits for a queue:
      \(bullets(kept.map(\.waitForQueue)))

      Resume a queue that is suspended. Let no work wait, in a queue, for work that waits for the same queue.


      """
  }

  /// A paragraph on timers, if there are any.
  private var workTimers: String {
    timers.isEmpty ? "" : "These timers of the scope are set:\n\(bullets(timers))\n\n"
  }

  /// A paragraph on threads that are blocked, if there are any.
  private var blockedThreads: String {
    stragglers.isEmpty
      ? ""
      : """
      These threads run code of the scope, and are blocked:
      \(bullets(stragglers))

      Such a thread waits for something that the scope does not see: a file, a socket, a process, or a lock.\
      \(isHeld ? "" : " If the work that ends the wait is outside the scope, wrap the wait in 'hold { }'.")


      """
  }

  /// A paragraph on threads that wait in the time of the scope, if there are any.
  private var parkedThreads: String {
    parked.isEmpty
      ? ""
      : """
      These threads run code of the scope, and wait for a semaphore, a group, a queue, a lock, a socket, \
      another thread or a cancellation, or sleep:
      \(bullets(parked))

      Such a thread goes on when other code of the scope signals, leaves, ends, unlocks or sends what it waits for. \
      That code may itself wait for the thread, or for its actor. Suspend the task instead, with 'await'.


      """
  }

  /// A paragraph on sleeps that only the test can end, if there are any.
  var sleepsUntilMoved: String {
    guard mode == .manual, body?.sleep != nil || others.contains(where: { $0.sleep != nil })
    else { return "" }
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
