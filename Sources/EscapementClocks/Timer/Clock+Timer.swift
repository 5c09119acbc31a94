import _EscapementCore

extension Clock where Duration: Hashable {
  /// Creates a timer that ticks at a regular interval of this clock.
  ///
  /// ```swift
  /// for await _ in clock.timer(interval: .seconds(1)) {
  ///   secondsElapsed += 1
  /// }
  /// ```
  ///
  /// The first tick comes one interval after the loop asks for it. The ticks do not drift: they are
  /// due at multiples of the interval after the start, however long the loop body takes. The timer
  /// ends when its task is cancelled. An element is the time since this call, on this clock, as an
  /// instant of an ``AnyClock``.
  ///
  /// An interval that is zero or negative fails the test at the line of the call, and the timer
  /// ends before its first tick.
  ///
  /// - `interval`: The time from one tick to the next.
  /// - `tolerance`: By how much the clock may be late with each tick.
  /// - `missed`: What the timer does about ticks that were due while the loop body was running.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func timer(
    interval: Self.Duration,
    tolerance: Self.Duration? = nil,
    missed: MissedTicks = .skip,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> TimerSequence<AnyClock<Duration>> {
    if interval <= .zero {
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column).reportIssue(
        """
        The interval of a timer must be positive (got \(interval)).

        The timer ends before its first tick. The interval may have been computed from an invalid \
        rate or date. Pass an interval that is longer than zero.
        """)
    }
    return TimerSequence(
      clock: AnyClock(self), interval: interval, tolerance: tolerance, missed: missed)
  }
}
