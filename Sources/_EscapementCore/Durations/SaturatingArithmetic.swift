/// Arithmetic that stays at the end of the range instead of trapping.
///
/// For `Swift.Duration` the range ends at the largest number of whole seconds that fits an `Int64`.
/// `Swift.Duration` itself has a larger range, but the `components` of a duration beyond this limit
/// trap. Other duration types use their own arithmetic.
public enum Saturating {
  /// `lhs + rhs`.
  @inlinable public static func sum<D: DurationProtocol>(_ lhs: D, _ rhs: D) -> D {
    guard D.self == Duration.self else { return lhs + rhs }
    return (lhs as! Duration).saturatingSum(rhs as! Duration) as! D
  }

  /// `lhs < rhs`.
  ///
  /// The compiler can inline it for `Swift.Duration`.
  @inlinable public static func isLess<D: DurationProtocol>(_ lhs: D, than rhs: D) -> Bool {
    guard D.self == Duration.self else { return lhs < rhs }
    let (lhs, rhs) = (lhs as! Duration, rhs as! Duration)
    return (lhs._high, lhs._low) < (rhs._high, rhs._low)
  }

  /// `lhs - rhs`.
  @inlinable public static func difference<D: DurationProtocol>(_ lhs: D, _ rhs: D) -> D {
    guard D.self == Duration.self else { return lhs - rhs }
    return (lhs as! Duration).saturatingDifference(rhs as! Duration) as! D
  }

  /// How many times `unit`, which is positive, fits into `duration`.
  ///
  /// Exact for `Swift.Duration`.
  @inlinable public static func quotient<D: DurationProtocol>(_ duration: D, _ unit: D) -> Int {
    guard D.self == Duration.self else {
      return Int(exactly: (duration / unit).rounded(.down)) ?? (duration < .zero ? .min : .max)
    }
    return (duration as! Duration).saturatingQuotient(unit as! Duration)
  }

  /// `duration * count`.
  @inlinable public static func product<D: DurationProtocol>(_ duration: D, _ count: Int) -> D {
    guard D.self == Duration.self else { return duration * count }
    return (duration as! Duration).saturatingProduct(count) as! D
  }
}

extension Duration {
  /// The longest duration that saturating arithmetic returns.
  @inlinable public static var longest: Duration { .seconds(Int64.max) }

  // `Int128`, with which this were simpler, needs macOS 15. `Duration` overflows at 1.7 x 10^20
  // seconds, far beyond the end of the range at 9.2 x 10^18.

  /// Whether the sum of two such durations cannot leave the range: at most 2.6 x 10^18 seconds.
  @inlinable var isFarFromTheEnd: Bool { -1 << 57 <= _high && _high < 1 << 57 }

  @inlinable func saturatingSum(_ other: Duration) -> Duration {
    guard isFarFromTheEnd, other.isFarFromTheEnd else {
      return (clampedToRange + other.clampedToRange).clampedToRange
    }
    let (low, carry) = _low.addingReportingOverflow(other._low)
    return Duration(_high: _high + other._high + (carry ? 1 : 0), low: low)
  }

  @inlinable func saturatingDifference(_ other: Duration) -> Duration {
    guard isFarFromTheEnd, other.isFarFromTheEnd else {
      return (clampedToRange - other.clampedToRange).clampedToRange
    }
    let (low, borrow) = _low.subtractingReportingOverflow(other._low)
    return Duration(_high: _high - other._high - (borrow ? 1 : 0), low: low)
  }

  @inlinable func saturatingProduct(_ count: Int) -> Duration {
    let estimate = self / .seconds(1) * Double(count)
    guard abs(estimate) < 1e19 else { return estimate < 0 ? .zero - .longest : .longest }
    return (self * count).clampedToRange
  }

  @inlinable var clampedToRange: Duration { min(max(self, .zero - .longest), .longest) }

  @usableFromInline func saturatingQuotient(_ unit: Duration) -> Int {
    var (rest, quotient) = (clampedToRange, 0)
    // An estimate is wrong by a part in 2^52 at most, so the third time there is nothing left of
    // it.
    while rest >= unit || rest < .zero {
      guard let estimate = Int(exactly: (rest / unit).rounded(.down)) else {
        return rest < .zero ? .min : .max
      }
      let (sum, overflow) = quotient.addingReportingOverflow(estimate)
      guard !overflow else { return estimate < 0 ? .min : .max }
      (rest, quotient) = (rest - unit * estimate, sum)
    }
    return quotient
  }
}
