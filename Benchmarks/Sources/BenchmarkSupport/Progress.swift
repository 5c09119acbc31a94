import Foundation

/// A line on standard error that says how far a benchmark is; only if that is a terminal.
package enum Progress {
  private static let isShown = isatty(STDERR_FILENO) == 1

  /// Shows the line in the place of the one before; an empty one takes it away.
  package static func show(_ text: String) {
    if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
  }
}
