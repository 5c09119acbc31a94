import _EscapementCore

/// Virtual time inside the engine: whole nanoseconds since the scope began.
///
/// The largest value stands for "never": no clock reaches it, so a sleep until then ends only by
/// cancellation, as one of that length does in real life.
typealias Nanoseconds = Int64

extension Nanoseconds {
  static let never = Nanoseconds.max

  /// The end of the range, where time stops.
  static let last = never - 1

  /// The duration in nanoseconds, rounded up so that no sleep ends early; saturates.
  init(roundingUp duration: Duration) { self = duration.nanosecondsRoundedUp }

  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// As a duration, for people.
  var duration: Duration { .nanoseconds(self) }
}
