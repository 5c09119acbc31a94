import Foundation

/// The terminal, or whatever stands in its place.
enum Console {
  /// Whether a person watches: neither the output nor the errors go to a file or a pipe.
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

  /// Nobody is left to be told of a failure to write.
  private static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }
}
