import CVirtualTime
import _EscapementCore

extension VirtualTime {
  /// Moves time forward, and returns when all consequences are done.
  ///
  /// Time stops at every deadline on the way, the last instant included. At each deadline, the
  /// scope wakes the sleepers in the order in which they were armed. It wakes a sleeper only when
  /// all work that followed from the sleeper before is done. Deadlines that are armed during the
  /// advance count as well. Durations beyond the range saturate.
  ///
  /// Calls that overlap add up: each one moves time by its own duration, whatever the others move.
  ///
  /// - `duration`: How far time moves. Zero runs the work that is due now. A negative duration is
  ///   reported as an issue, and time does not move.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard duration >= .zero else {
      return location.reportIssue(
        """
        Virtual time cannot be advanced by \(duration), because it never goes backwards.

        Time has not moved. Advance it by zero or by a positive duration.
        """)
    }
    await move(.move(by: Nanoseconds(roundingUp: duration)), location)
  }

  /// Moves time forward to an instant, and returns when all consequences are done.
  ///
  /// Calls that overlap do not add up: time ends at the latest of their instants.
  ///
  /// - `deadline`: The instant. An instant in the past is reported as an issue, and time does not
  ///   move.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func advance(
    to deadline: Instant,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard deadline >= now else {
      return location.reportIssue(
        """
        Virtual time cannot be advanced to \(deadline): it is \(now) already, and time never goes \
        backwards.

        Time has not moved. The instant may come from another scope, or another task may have \
        advanced time in between. Compute the instant from 'now'.
        """)
    }
    await move(.advance(to: deadline.nanoseconds), location)
  }

  /// Moves time forward to a date, and returns when all consequences are done.
  ///
  /// ```swift
  /// await time.advance(to: Date(timeIntervalSince1970: 1_735_689_600))  // 2025-01-01T00:00:00Z
  /// ```
  ///
  /// The date counts from ``VirtualTimeOptions/wallClockStart``, also where `Date()` is real.
  ///
  /// - `date`: The date. A date in the past is reported as an issue, and time does not move.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func advance(
    to date: some WallClockInstant,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let start = scope.options.wallClock
    let deadline = Instant(offset: date.durationSince1970 - start)
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard deadline >= now else {
      return location.reportIssue(
        """
        Virtual time cannot be advanced to \(date), which is \(deadline): it is \(now) already, and \
        time never goes backwards.

        Time has not moved. The wall clock of the scope started \(start) after 1970-01-01T00:00:00Z, \
        which is the option 'wallClockStart'. Start it earlier, or advance to a later date.
        """)
    }
    await move(.advance(to: deadline.nanoseconds), location)
  }

  /// Moves time to the next deadline, and returns when all consequences are done.
  ///
  /// Before it looks for the deadline, it runs all work that is due now.
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

  /// Runs all work that is due now, and returns when it is done; time does not move.
  ///
  /// The work is done when the scope is idle: no job of the scope is ready or running, and no hold
  /// is open.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    await move(
      .settle, SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Moves time from deadline to deadline until none is left.
  ///
  /// - `limit`: How many deadlines may pass. If tasks still sleep then, an issue is reported that
  ///   names them.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func run(
    limit: Int = 1_000_000,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard await move(.run(limit: max(0, limit)), location) == .limitReached else { return }
    location.reportIssue(
      """
      'run' has passed \(limit) deadlines, up to \(now), and these tasks still sleep:
      \(bullets(sleepers))

      A repeating timer keeps 'run' from ending. Cancel the timer first, use 'advance(by:)' \
      instead, or raise 'limit'.
      """)
  }

  @discardableResult
  private func move(_ goal: Driver.Goal, _ location: SourceLocation) async -> Driver.Outcome {
    scope.recorder?.current(.moved, at: scope.now)
    let outcome = await scope.drive(goal)
    if outcome == .scopeEnded { location.reportIssue(VirtualTimeError.scopeEnded.description) }
    return outcome
  }
}

// MARK: - Driving

extension Scope: Settling {
  var virtualizesClocks: Bool { clocks.pointee.isVirtual }

  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async {
    _ = await drive(.steps(step))
  }

  /// Moves time to the goal, and returns when all consequences are done.
  func drive(_ goal: Driver.Goal) async -> Driver.Outcome {
    await withUnsafeContinuation { continuation in
      let driver = Driver(goal: goal, continuation: continuation)
      let (added, mustDrain) = state.withLock { ($0.add(driver), $0.startDraining()) }
      if !added { continuation.resume(returning: .scopeEnded) }
      if mustDrain { handOver() }
    }
  }
}
