import _EscapementCore

extension TestClock {
  /// The tasks that sleep on this clock, in the order in which they will wake.
  ///
  /// - Complexity: O(n log n) in the number of sleepers.
  public var sleepers: [SleepingTask<Instant>] {
    state.withLock { $0.sleeps.inOrder }.map { deadline, _, sleep in
      .init(deadline: deadline, start: sleep.start, taskName: sleep.taskName)
    }
  }

  /// The earliest deadline of a sleep on this clock, or `nil` if no task sleeps.
  public var nextDeadline: Instant? {
    state.withLock { $0.sleeps.firstDeadline }
  }

  /// Suspends until at least this many tasks sleep on this clock.
  ///
  /// Returns at once if they do already. The function does not poll: the sleep that completes the
  /// number resumes the caller. Use it outside of virtual-time scopes to make sure that the code
  /// under test has reached its sleep:
  ///
  /// ```swift
  /// let task = Task { try await model.refreshEveryHour(clock: clock) }
  /// try await clock.waitForSleepers(count: 1)
  /// await clock.advance(by: .seconds(3600))
  /// ```
  ///
  /// A negative `count` fails the test at the line of the call, and the function returns at once.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before that many tasks sleep.
  public func waitForSleepers(
    count: Int,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    if count < 0 {
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column).reportIssue(
        """
        'count' must not be negative (got \(count)).

        'waitForSleepers' returns at once. Pass the number of tasks of the code under test that \
        sleep on this clock.
        """)
    }
    try await TestClockWatchers(clock: self).sleep(until: count)
  }

  /// Throws an error if a task sleeps on this clock.
  ///
  /// Call it at the end of a test to check that the code under test has no more work to do later.
  ///
  /// The function first lets the code under test come to rest, as `advance(by:)` does.
  ///
  /// - Throws: ``SuspensionError``, which lists the sleeping tasks and their deadlines.
  public func checkSuspension() async throws {
    await settle()
    let sleepers = sleepers
    guard sleepers.isEmpty else {
      throw SuspensionError(
        description: """
          Expected no task to sleep on the test clock. Number of sleeping tasks: \(sleepers.count)
          \(list(of: sleepers))

          The test may not have advanced the clock far enough, or the code under test may not have \
          stopped a timer. Advance the clock to the last deadline, or cancel the tasks.
          """)
    }
  }

  /// The first few sleepers, as they appear in messages.
  func list(of sleepers: [SleepingTask<Instant>]) -> String {
    let shown = sleepers.prefix(5).map { "- \($0)" }.joined(separator: "\n")
    return sleepers.count > 5 ? "\(shown)\n- and \(sleepers.count - 5) more" : shown
  }
}

/// A task sleeps on a ``TestClock`` although the test expects that none does.
public struct SuspensionError: Error, CustomStringConvertible {
  /// The sleeping tasks, what that may mean, and what to do.
  public let description: String
}
