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
    // 500,000,000 x 2^64 attoseconds are 2^63 nanoseconds. Below, one machine instruction divides.
    func divided(_ high: UInt64, _ low: UInt64) -> (whole: Int64, hasRest: Bool)? {
      guard high < 500_000_000 else { return nil }
      let (quotient, rest) = (1_000_000_000 as UInt64).dividingFullWidth((high, low))
      return (Int64(quotient), rest > 0)
    }
    guard _high < 0 else { return divided(UInt64(_high), _low) ?? (.max, false) }
    let (low, borrow) = (0 as UInt64).subtractingReportingOverflow(_low)
    let high = 0 &- UInt64(bitPattern: _high) &- (borrow ? 1 : 0)
    return (divided(high, low).map { -$0.whole } ?? .min, false)
  }
}
