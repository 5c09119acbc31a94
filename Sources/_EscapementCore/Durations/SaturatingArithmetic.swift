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
    return (lhs as! Duration).attoseconds < (rhs as! Duration).attoseconds
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
    return Int(clamping: (duration as! Duration).attoseconds / (unit as! Duration).attoseconds)
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

  @inlinable func saturatingSum(_ other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(sum: sum, overflow: overflow, isNegative: attoseconds < 0)
  }

  @inlinable func saturatingDifference(_ other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(sum: difference, overflow: overflow, isNegative: attoseconds < 0)
  }

  @inlinable func saturatingProduct(_ count: Int) -> Duration {
    let (product, overflow) = attoseconds.multipliedReportingOverflow(by: Int128(count))
    return Duration(
      sum: product, overflow: overflow, isNegative: (attoseconds < 0) != (count < 0))
  }

  @inlinable init(sum: Int128, overflow: Bool, isNegative: Bool) {
    let longest = Duration.longest.attoseconds
    guard !overflow else {
      self.init(attoseconds: isNegative ? -longest : longest)
      return
    }
    self.init(attoseconds: min(max(sum, -longest), longest))
  }
}
