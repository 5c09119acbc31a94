/// A cron line, or a time of day, is not valid.
public struct CronSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text that was parsed.
  public let line: String
  /// The position of the first character that is not valid, from 1.
  public let column: Int
  /// The mistake and its correction, as a sentence.
  public let reason: String

  /// Creates an error, for a test or a parser of your own.
  ///
  /// - Parameters:
  ///   - line: The text that was parsed.
  ///   - column: The position of the first character that is not valid, from 1.
  ///   - reason: What is wrong, and what is right, as a sentence.
  public init(line: String, column: Int, reason: String) {
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// The line, a mark below the column, and the reason.
  public var description: String {
    """
    The schedule is not valid at column \(column):
      \(line)
      \(String(repeating: " ", count: max(column - 1, 0)))^ \(reason)
    """
  }
}
