extension Duration {
  /// The duration in nanoseconds, rounded towards zero.
  ///
  /// It saturates at the range of `Int64`.
  package var wholeNanoseconds: Int64 { inNanoseconds.whole }

  /// The duration in nanoseconds, rounded up.
  ///
  /// It saturates at the range of `Int64`.
  package var nanosecondsRoundedUp: Int64 {
    let (whole, hasRest) = inNanoseconds
    return hasRest && whole < .max ? whole + 1 : whole
  }

  /// The nanoseconds, rounded towards zero, and whether the fraction was positive.
  private var inNanoseconds: (whole: Int64, hasRest: Bool) {
    let high = Int64(truncatingIfNeeded: attoseconds >> 64)
    // Durations of up to 292 years take one machine instruction. A division of 128 bits by 128 is
    // a call of a library function.
    if high >= 0, high < 500_000_000 {
      let low = UInt64(truncatingIfNeeded: attoseconds)
      let (quotient, rest) = (1_000_000_000 as UInt64).dividingFullWidth((UInt64(high), low))
      return (Int64(quotient), rest > 0)
    }
    let (quotient, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (Int64(clamping: quotient), rest > 0)
  }
}
