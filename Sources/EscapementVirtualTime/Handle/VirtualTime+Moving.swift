import EscapementClocks
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
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard duration >= .zero else {
      return location.reportIssue(
        """
        Virtual time was to be advanced by \(duration), but it never goes backwards.

        It has not been moved. Advance it by a duration that is zero or positive.
        """)
    }
    let target = scope.now.addingSaturating(Nanoseconds(roundingUp: duration))
    await move(.advance(to: target), location)
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
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard deadline >= now else {
      return location.reportIssue(
        """
        Virtual time was to be advanced to \(deadline), but it is \(now) already and it never goes \
        backwards.

        It has not been moved. The instant may come from another scope, or from before an advance.
        """)
    }
    await move(.advance(to: deadline.nanoseconds), location)
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
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
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
    await move(
      .settle, SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
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
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard await move(.run(limit: max(0, limit)), location) == .limitReached else { return }
    location.reportIssue(
      """
      'run' has passed \(limit) deadlines, up to \(now), and some tasks still sleep:
      \(bullets(sleepers))

      A timer that is armed again for ever never comes to an end: cancel it first, use \
      'advance(by:)', or raise the limit.
      """)
  }

  @discardableResult
  private func move(_ goal: Driver.Goal, _ location: SourceLocation) async -> Driver.Outcome {
    let outcome = await scope.drive(goal)
    if outcome == .scopeEnded { location.reportIssue(VirtualTimeError.scopeEnded.description) }
    return outcome
  }
}

// MARK: - Driving

extension Scope: Settling {
  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async {
    _ = await drive(.steps(step))
  }

  /// Moves time as the goal says, and returns when it is reached and all consequences are done.
  func drive(_ goal: Driver.Goal) async -> Driver.Outcome {
    await withUnsafeContinuation { continuation in
      let driver = Driver(goal: goal, continuation: continuation)
      let (added, mustDrain) = state.withLock { ($0.add(driver), $0.startDraining()) }
      if !added { continuation.resume(returning: .scopeEnded) }
      if mustDrain { handOver() }
    }
  }
}
