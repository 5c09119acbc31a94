/// The rule for ticks that were due while the loop body was still running.
///
/// A tick is late when the loop body takes longer than the interval. With every policy, the timer
/// delivers the late tick as soon as the loop asks for it. The policies differ in the ticks after
/// that. In these timelines the interval is one second, and the body of the second tick (`=`) takes
/// two and a half seconds:
///
/// ```
/// seconds  0   1   2   3   4   5   6   7
/// skip     ----|---|=========|-|---|---|
/// burst    ----|---|=========2-|---|---|   2: two ticks at once
/// delay    ----|---|=========|---|---|--
/// ```
public enum MissedTicks: Sendable, Hashable, CaseIterable {
  /// The timer delivers one late tick for all that were missed, and the next tick at its regular
  /// time.
  ///
  /// ```
  /// ----|---|=========|-|---|---|
  /// ```
  case skip

  /// The timer delivers all missed ticks at once, so that the number of ticks is right in the end.
  ///
  /// ```
  /// ----|---|=========2-|---|---|
  /// ```
  case burst

  /// The timer delivers one late tick for all that were missed, and the next one an interval later.
  ///
  /// ```
  /// ----|---|=========|---|---|--
  /// ```
  case delay
}
