/// The error that `#` stands for in a marble diagram, unless another one is passed as `failure`.
public struct MarbleError: Error, Hashable, Sendable {
  /// Creates the error.
  public init() {}
}

/// Whether two errors are the same: values of one type that are equal or, if they cannot be
/// compared, have the same description.
func areSame(_ one: any Error, _ other: any Error) -> Bool {
  func isEqual<E: Equatable>(_ one: E) -> Bool { one == other as? E }
  guard type(of: one) == type(of: other) else { return false }
  // The compiler takes a cast of the error itself for one that always succeeds.
  if let one = (one as Any) as? any Equatable { return isEqual(one) }
  return String(reflecting: one) == String(reflecting: other)
}
