import _EscapementCore

extension TestClock {
  /// Moves time forward by a duration, and returns when the consequences are done.
  ///
  /// A duration of zero lets the code under test run until it comes to rest. ``TestClock``
  /// describes how exactly the clock knows that.
  ///
  /// A negative duration fails the test at the line of the call, and time does not move. A sum
  /// beyond the range of `Swift.Duration` saturates.
  ///
  /// Calls that overlap add up: each one moves time by its own duration, whatever the others move.
  public func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard duration >= .zero else {
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column).reportIssue(
        """
        A test clock cannot move backwards: 'advance(by:)' got \(duration).

        The clock has not moved. Pass a duration that is zero or positive. To begin at an earlier \
        time, create another clock with 'TestClock(now:)'.
        """)
      return
    }
    // Only what this call moves counts, since other tasks may move the clock at the same time.
    let left = Lock(duration)
    await settling.repeatWhenIdle { self.step(by: left) }
  }

  /// Moves time forward to an instant, and returns when the consequences are done.
  ///
  /// An instant in the past fails the test at the line of the call, and time does not move. Calls
  /// that overlap do not add up: time ends at the latest of their instants.
  public func advance(
    to deadline: Instant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let now = now
    guard deadline >= now else {
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column).reportIssue(
        """
        A test clock cannot move backwards: 'advance(to:)' got \(deadline), but the time is \
        already \(now).

        The clock has not moved. Another task may advance the same clock, or the instant may have \
        been computed from another clock. Pass an instant that is not earlier than 'now'.
        """)
      return
    }
    await settleAndMove(to: deadline)
  }

  /// Moves time forward to the next deadline, and returns when the consequences are done.
  ///
  /// All tasks that sleep until that deadline wake. The function first lets the code under test
  /// come to rest. If no task sleeps then, time does not move.
  ///
  /// - Returns: By how much time has moved, or `nil` if no task sleeps.
  @discardableResult
  public func advanceToNextDeadline() async -> Duration? {
    await settle()
    let (now, next) = state.withLock { ($0.now, $0.sleeps.firstDeadline) }
    guard let next else { return nil }
    await settleAndMove(to: next)
    return now.duration(to: next)
  }
}

// MARK: - Settling

extension TestClock {
  /// Wakes all tasks whose deadline is not later than `target`, one after the other.
  private func settleAndMove(to target: Instant) async {
    await settling.repeatWhenIdle { self.step(to: target) }
  }

  /// Waits until the code under test has come to rest.
  func settle() async {
    await settling.repeatWhenIdle { false }
  }

  /// Makes one step, and returns whether it woke a task.
  @_specialize(where Duration == Swift.Duration)
  func step(to target: Instant) -> Bool {
    switch state.withLock({ $0.step(to: target) }) {
    case .wake(let sleeper):
      sleeper.continuation?.resume()
      return true
    case .arrive:
      return false
    }
  }

  /// Makes one step of a call that has so far to go, and returns whether it woke a task.
  @_specialize(where Duration == Swift.Duration)
  private func step(by distance: borrowing Lock<Duration>) -> Bool {
    let left = distance.withLock { $0 }
    let (step, moved) = state.withLock { $0.step(by: left) }
    distance.withLock { $0 -= moved }
    guard case .wake(let sleeper) = step else { return false }
    sleeper.continuation?.resume()
    return true
  }

  /// The scope that runs the caller, which knows when the code under test has come to rest; or else
  /// the heuristic.
  var settling: any Settling {
    SettlingScope.current ?? PatientSettling { self.activity }
  }

  private var activity: SleepActivity {
    let (armed, ended) = state.withLock { ($0.armed, $0.ended) }
    return SleepActivity(armed: armed, ended: ended, returned: returned.withLock { $0 })
  }
}
