/// What a timer does about ticks for which nobody was ready.
///
/// A tick is late when the loop body takes longer than the interval. Whatever the policy, the late
/// tick comes as soon as somebody asks for it. They differ in what follows. In these timelines the
/// interval is one second, and the body of the second tick (`=`) takes two and a half:
///
/// ```
/// seconds  0   1   2   3   4   5   6   7
/// skip     ----|---|=========|-|---|---|
/// burst    ----|---|=========2-|---|---|   2: two ticks at once
/// delay    ----|---|=========|---|---|--
/// ```
public enum MissedTicks: Sendable, Hashable, CaseIterable {
  /// One late tick stands for all that were missed; then ticks come at their times again.
  ///
  /// ```
  /// ----|---|=========|-|---|---|
  /// ```
  case skip

  /// Each missed tick is made up for at once, so that their number is right in the end.
  ///
  /// ```
  /// ----|---|=========2-|---|---|
  /// ```
  case burst

  /// One late tick stands for all that were missed; then the interval begins anew.
  ///
  /// ```
  /// ----|---|=========|---|---|--
  /// ```
  case delay
}
