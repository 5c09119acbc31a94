import _EscapementCore

extension Clock where Duration: Hashable {
  /// A timer that ticks at a regular interval of this clock.
  ///
  /// ```swift
  /// for await _ in clock.timer(interval: .seconds(1)) {
  ///   secondsElapsed += 1
  /// }
  /// ```
  ///
  /// The first tick comes one interval after it was asked for. The ticks do not drift: they are due
  /// at multiples of the interval after the start, however long the loop body takes. What happens to
  /// ticks for which nobody was ready, is up to `missed`. The clock may be late with each tick by
  /// the tolerance.
  ///
  /// The timer ends when its task is cancelled. An element is the time since this call, on this
  /// clock, as the instant of an ``AnyClock``.
  ///
  /// An interval that is zero or negative fails the test at the place of the call, and the timer ends
  /// before its first tick.
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
        A timer was to tick every \(interval), but the interval must be positive.

        The timer ends before its first tick. This could mean that the interval was computed from \
        a rate or a date that is not valid.
        """)
    }
    return TimerSequence(
      clock: AnyClock(self), interval: interval, tolerance: tolerance, missed: missed)
  }
}
