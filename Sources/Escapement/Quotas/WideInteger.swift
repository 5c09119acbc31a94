/// An integer of 128 bits, with what a quota needs of one; `Int128` needs macOS 15.
///
/// Overflow traps. Quotas keep their numbers small enough for it not to happen.
struct WideInteger: Comparable {
  private var high: Int64
  private var low: UInt64

  private init(high: Int64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ value: Int64) {
    self.init(high: value < 0 ? -1 : 0, low: UInt64(truncatingIfNeeded: value))
  }

  /// The product of two numbers.
  init(_ value: Int64, times factor: Int64) {
    let (high, low) = value.multipliedFullWidth(by: factor)
    self.init(high: high, low: low)
  }

  static func + (lhs: Self, rhs: Self) -> Self {
    let (low, carry) = lhs.low.addingReportingOverflow(rhs.low)
    return Self(high: lhs.high + rhs.high + (carry ? 1 : 0), low: low)
  }

  static func - (lhs: Self, rhs: Self) -> Self {
    let (low, borrow) = lhs.low.subtractingReportingOverflow(rhs.low)
    return Self(high: lhs.high - rhs.high - (borrow ? 1 : 0), low: low)
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.high, lhs.low) < (rhs.high, rhs.low)
  }

  /// The upper 64 bits and the lower ones.
  var halves: [Int64] { [high, Int64(bitPattern: low)] }

  init(halves high: Int64, _ low: Int64) { self.init(high: high, low: UInt64(bitPattern: low)) }

  /// The number, or the nearest that 64 bits can hold.
  var clamped: Int64 {
    let value = Int64(truncatingIfNeeded: low)
    return Self(value) == self ? value : high < 0 ? .min : .max
  }

  /// How often a positive divisor fits into the number, which is not negative; saturates.
  func dividedSaturating(by divisor: Int64) -> Int64 {
    // A division of 64 bits is several times faster.
    if high == 0, low <= UInt64(Int64.max) { return Int64(low) / divisor }
    let (divisor, high) = (UInt64(divisor), UInt64(high))
    guard high < divisor else { return .max }
    return Int64(clamping: divisor.dividingFullWidth((high, low)).quotient)
  }
}
