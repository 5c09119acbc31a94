/// A number that grows each time a ``Lease`` gets a new holder.
///
/// It is the time of the store in microseconds, or one more than the last number if that is larger.
/// So it grows also when the store has lost the last number.
///
/// A replica that was stopped for a while may not know yet that its lease has ended. So pass the
/// token along with each write, and let the target refuse a token that is smaller than the largest
/// one that it has seen (M. Kleppmann, "How to do distributed locking", 2016).
///
/// ```sql
/// UPDATE report SET total = $1, token = $2 WHERE token <= $2
/// ```
public struct FencingToken: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, which is positive.
  public let number: Int64

  /// Creates a token, for example from a column of a database.
  public init(number: Int64) { self.number = number }

  /// The number.
  public var description: String { "\(number)" }

  /// Whether the first token is the older one.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}
