/// Virtual time inside the engine: whole nanoseconds since the scope began.
///
/// The largest value stands for "never": no clock reaches it, so a sleep until then ends only by
/// cancellation, as one of that length does in real life.
typealias Nanoseconds = Int64

extension Nanoseconds {
  static let never = Nanoseconds.max

  /// The duration in nanoseconds, rounded up so that nobody wakes early; saturates.
  init(roundingUp duration: Duration) {
    let attoseconds = duration.attoseconds
    let high = UInt64(truncatingIfNeeded: attoseconds >> 64)
    guard attoseconds >= 0, high < 500_000_000 else {
      self = attoseconds < 0 ? Self(negative: attoseconds) : .never
      return
    }
    let low = UInt64(truncatingIfNeeded: attoseconds)
    let (quotient, remainder) = (1_000_000_000 as UInt64).dividingFullWidth((high, low))
    self = Int64(quotient).addingSaturating(remainder > 0 ? 1 : 0)
  }

  private init(negative attoseconds: Int128) { self.init(clamping: attoseconds / 1_000_000_000) }

  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// As a duration, for people.
  var duration: Duration { .nanoseconds(self) }
}
