extension Duration {
  /// The whole nanoseconds in the duration; what is beyond the range of `Int64` saturates.
  package var wholeNanoseconds: Int64 { inNanoseconds.whole }

  /// The duration in nanoseconds, rounded up; what is beyond the range of `Int64` saturates.
  package var nanosecondsRoundedUp: Int64 {
    let (whole, hasRest) = inNanoseconds
    return hasRest && whole < .max ? whole + 1 : whole
  }

  /// The nanoseconds without their fraction, and whether there is one that makes them more.
  private var inNanoseconds: (whole: Int64, hasRest: Bool) {
    let high = Int64(truncatingIfNeeded: attoseconds >> 64)
    // Nearly always: one machine instruction divides, where 128 bits by 128 take a library call.
    if high >= 0, high < 500_000_000 {
      let low = UInt64(truncatingIfNeeded: attoseconds)
      let (quotient, rest) = (1_000_000_000 as UInt64).dividingFullWidth((UInt64(high), low))
      return (Int64(quotient), rest > 0)
    }
    let (quotient, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (Int64(clamping: quotient), rest > 0)
  }
}
