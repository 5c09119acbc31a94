import IssueReporting
import _EscapementCore

extension VirtualTime {
  /// Moves time forward, and returns when all consequences are done.
  ///
  /// Every deadline on the way is visited, the last instant included: time is set to it, then its
  /// sleepers wake in the order in which they were armed, each when all that follows from the one
  /// before is done. What is armed meanwhile is honoured. Durations beyond the range saturate.
  ///
  /// - Parameters:
  ///   - duration: How far. Zero lets run what is due now; a negative one is reported as an issue,
  ///     and time stays.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    guard duration >= .zero else {
      return reportIssue(
        """
        Virtual time cannot be advanced by \(duration): it never goes backwards. Advance by zero or \
        more.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
    let target = scope.now.addingSaturating(Nanoseconds(roundingUp: duration))
    await move(.advance(to: target), Location(fileID, filePath, line, column))
  }

  /// Moves time forward to an instant, and returns when all consequences are done.
  ///
  /// - Parameters:
  ///   - deadline: The instant; one that has passed is reported as an issue, and time stays.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public func advance(
    to deadline: Instant,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    guard deadline >= now else {
      return reportIssue(
        """
        Virtual time cannot be advanced to \(deadline): it is \(now) already, and never goes \
        backwards.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
    await move(.advance(to: deadline.nanoseconds), Location(fileID, filePath, line, column))
  }

  /// Moves time to the next deadline, and returns when all consequences are done.
  ///
  /// Lets everything run that can before it looks for the deadline.
  ///
  /// - Returns: How far time moved, or `nil` if there is no deadline.
  @discardableResult
  public func advanceToNextDeadline(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Duration? {
    let location = Location(fileID, filePath, line, column)
    await move(.settle, location)
    guard let deadline = nextDeadline else { return nil }
    let start = now
    await move(.advance(to: deadline.nanoseconds), location)
    return start.duration(to: deadline)
  }

  /// Lets everything run that can, while time stands.
  ///
  /// Returns when the scope is idle: no job of it is ready or running, and no hold is open.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    await move(.settle, Location(fileID, filePath, line, column))
  }

  /// Moves time from deadline to deadline until none is left.
  ///
  /// - Parameters:
  ///   - limit: How many deadlines may pass; more is reported as an issue, with the names of those
  ///     that still sleep.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public func run(
    limit: Int = 1_000_000,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = Location(fileID, filePath, line, column)
    guard await move(.run(limit: max(0, limit)), location) == .limitReached else { return }
    location.report(
      """
      'run' has passed \(limit) deadlines, up to \(now), and some tasks still sleep:
      \(bullets(sleepers))

      A timer that is armed again for ever never comes to an end: cancel it first, use \
      'advance(by:)', or raise the limit.
      """)
  }

  @discardableResult
  private func move(_ goal: Driver.Goal, _ location: Location) async -> Driver.Outcome {
    let outcome = await scope.drive(goal)
    if outcome == .scopeEnded { location.report(VirtualTimeError.scopeEnded.description) }
    return outcome
  }
}

/// Where in the user's code something was called.
struct Location {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  func report(_ message: String) {
    reportIssue(message, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

// MARK: - Driving

extension Scope: Settling {
  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async { _ = await drive(.steps(step)) }

  /// Moves time as the goal says, and returns when it is reached and all consequences are done.
  func drive(_ goal: Driver.Goal) async -> Driver.Outcome {
    await withUnsafeContinuation { continuation in
      let driver = Driver(goal: goal, continuation: continuation)
      let (added, mustDrain) = state.withLock { ($0.add(driver), $0.startDraining()) }
      if !added { continuation.resume(returning: .scopeEnded) }
      if mustDrain { schedule() }
    }
  }
}
