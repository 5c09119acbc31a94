import _EscapementCore

extension TestClock {
  /// A task that sleeps on a test clock.
  public struct SleepingTask: Sendable, Hashable, CustomStringConvertible {
    /// When the sleep ends.
    public let deadline: Instant

    /// The name of the task, if it has one and the platform tells it.
    public let taskName: String?

    /// The task and its deadline, as they appear in messages.
    public var description: String {
      "\(taskName.map { "'\($0)'" } ?? "a task") until \(deadline)"
    }
  }

  /// Who sleeps on this clock, in the order in which they will wake.
  ///
  /// - Complexity: O(n log n) in the number of sleepers.
  public var sleepers: [SleepingTask] {
    state.withLock { $0.sleeps.inOrder }
      .map { SleepingTask(deadline: $0.deadline, taskName: $0.element.taskName) }
  }

  /// When the next sleep ends, or `nil` if nobody sleeps.
  public var nextDeadline: Instant? {
    state.withLock { $0.sleeps.firstDeadline }
  }

  /// Suspends until at least this many tasks sleep on this clock.
  ///
  /// Returns at once if they do already. Nothing is polled: the sleep that makes up the number
  /// resumes the caller. So this is the way to be sure, outside a virtual-time scope, that code
  /// under test has got as far as its sleep:
  ///
  /// ```swift
  /// let task = Task { try await model.refreshEveryHour(clock: clock) }
  /// try await clock.waitForSleepers(count: 1)
  /// await clock.advance(by: .seconds(3600))
  /// ```
  ///
  /// A negative number fails the test at the place of the call.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before.
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
        A test was to wait until \(count) tasks sleep, but there are never fewer than none.

        It goes on at once. Wait for the number of tasks that the code under test lets sleep.
        """)
    }
    try await TestClockWatchers(clock: self).sleep(until: count)
  }

  /// Throws an error if anybody sleeps on this clock.
  ///
  /// Call it at the end of a test to prove that nothing is left that could still happen.
  ///
  /// Code under test gets the time to begin its sleeps first, as in `advance(by:)`.
  ///
  /// - Throws: ``SuspensionError``, which says who sleeps and until when.
  public func checkSuspension() async throws {
    await settle()
    let sleepers = sleepers
    guard sleepers.isEmpty else {
      throw SuspensionError(
        description: """
          Expected nobody to sleep on the test clock, but \(sleepers.count) do: \
          \(list(of: sleepers)).

          This could mean that the clock has not been advanced far enough, or that a timer has \
          not been stopped. Advance the clock to the last deadline, or cancel the tasks.
          """)
    }
  }

  /// The first few sleepers, as they appear in messages.
  func list(of sleepers: [SleepingTask]) -> String {
    let shown = sleepers.prefix(5).map(\.description).joined(separator: ", ")
    return sleepers.count > 5 ? "\(shown), and \(sleepers.count - 5) more" : shown
  }
}

/// Somebody sleeps on a ``TestClock`` where nobody should.
public struct SuspensionError: Error, CustomStringConvertible {
  /// Who sleeps and until when, what that may mean, and what to do.
  public let description: String
}
