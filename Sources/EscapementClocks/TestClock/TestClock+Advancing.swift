import _EscapementCore

extension TestClock {
  /// Moves time forward by a duration, and returns when the consequences are done.
  ///
  /// A duration of zero lets code under test run until it comes to rest. See ``TestClock`` on how
  /// well that is known.
  ///
  /// A negative duration fails the test at the place of the call, and nothing moves. A sum beyond
  /// the range of `Swift.Duration` ends at its end.
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
        A test clock was to be advanced by \(duration), but time never goes backwards.

        The clock has not been moved. Advance it by a duration that is zero or positive; to begin \
        at an earlier time, make another clock with 'TestClock(now:)'.
        """)
      return
    }
    await settleAndMove(to: now.advanced(by: duration))
  }

  /// Moves time forward to an instant, and returns when the consequences are done.
  ///
  /// An instant in the past fails the test at the place of the call, and nothing moves.
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
        A test clock was to be advanced to \(deadline), but it is \(now) already and time never \
        goes backwards.

        The clock has not been moved. This could mean that somebody else advances the same clock, \
        or that the instant was computed from another one.
        """)
      return
    }
    await settleAndMove(to: deadline)
  }

  /// Moves time forward to the next deadline, and returns when the consequences are done.
  ///
  /// All who sleep until that deadline wake. When nobody sleeps, after code under test has had the
  /// time to begin, nothing moves.
  ///
  /// - Returns: How far time has moved, or `nil` if nobody sleeps.
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
  /// Wakes all who sleep until `target` or before it, one after the other.
  private func settleAndMove(to target: Instant) async {
    await settling.repeatWhenIdle { self.step(to: target) }
  }

  /// Waits until nothing follows any more from what has happened.
  func settle() async {
    await settling.repeatWhenIdle { false }
  }

  /// Makes one step, and returns whether that woke somebody.
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

  /// What knows when code under test has come to rest: the scope that runs the caller, or else
  /// patience.
  var settling: any Settling {
    SettlingScope.current ?? PatientSettling { self.activity }
  }

  private var activity: SleepActivity {
    let (armed, ended) = state.withLock { ($0.armed, $0.ended) }
    return SleepActivity(armed: armed, ended: ended, returned: returned.withLock { $0 })
  }
}
