import Foundation

/// Standard output and standard error.
enum Console {
  /// Whether standard output and standard error are terminals, and not a file or a pipe.
  static var isTerminal: Bool {
    [FileHandle.standardOutput, .standardError].allSatisfy { isatty($0.fileDescriptor) == 1 }
  }

  /// Writes to standard output without delay.
  static func write(_ text: String) {
    write(text, to: .standardOutput)
  }

  /// Writes to standard error without delay.
  static func writeError(_ text: String) {
    write(text, to: .standardError)
  }

  /// Ignores a failure to write, because it cannot be reported anywhere.
  private static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }
}
