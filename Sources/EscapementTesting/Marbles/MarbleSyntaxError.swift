/// A marble diagram is not valid.
public struct MarbleSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text that was parsed.
  public let text: String
  /// The position of the first character that is not valid, from 1.
  public let column: Int
  /// The mistake and its correction, as a sentence.
  public let reason: String

  init(_ text: String, column: Int, _ reason: String) {
    self.text = text
    self.column = column
    self.reason = reason
  }

  /// The text, a mark below the column, and the reason.
  public var description: String {
    let excerpt = MarbleExcerpt(around: column)
    return """
      The marble diagram is not valid at column \(column):
        \(excerpt.part(of: text))
        \(excerpt.caret) \(reason)
      """
  }
}

/// The part of a long line that is around a column.
struct MarbleExcerpt {
  static let reach = 40
  private let first: Int
  private let column: Int

  /// Columns count from 1.
  init(around column: Int) {
    self.column = column
    first = max(1, column - Self.reach)
  }

  func part(of line: String) -> String {
    let rest = line.dropFirst(first - 1)
    let part = rest.prefix(column - first + Self.reach)
    // A line break or a tab would separate the mark from its column.
    let shown = String(part.map { $0.isWhitespace ? " " : $0 })
    return (first > 1 ? "…" : "") + shown + (part.endIndex < line.endIndex ? "…" : "")
  }

  var caret: String { String(repeating: " ", count: column - first + (first > 1 ? 1 : 0)) + "^" }
}
