/// A cron line, or a time of day, is not valid.
public struct CronSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text that was parsed.
  public let line: String
  /// The position of the first character that is not valid, from 1.
  public let column: Int
  /// What is wrong, and what is right, as a sentence.
  public let reason: String

  /// The line, a mark below the column, and the reason.
  public var description: String {
    """
    The schedule is not valid at column \(column):
      \(line)
      \(String(repeating: " ", count: column - 1))^ \(reason)
    """
  }
}
