#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Timeline {
  /// Writes the timeline to a file: a page if its name ends with `.html`, text if it ends with
  /// `.txt`, and a trace in Chrome's format otherwise.
  ///
  /// - `path`: The file. An existing one is replaced.
  /// - `title`: The title of the page.
  /// - Throws: ``TimelineFileError`` if the file cannot be written.
  public func write(to path: String, title: String = "Timeline") throws(TimelineFileError) {
    let text =
      if path.hasSuffix(".html") {
        html(title: title)
      } else if path.hasSuffix(".txt") {
        self.text(last: .max) + "\n"
      } else {
        chromeTrace
      }
    guard let file = fopen(path, "w") else {
      throw TimelineFileError(path: path, reason: String(cString: strerror(errno)))
    }
    var copy = text
    let count = copy.utf8.count
    let written = copy.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, written == count else {
      throw TimelineFileError(path: path, reason: String(cString: strerror(errno)))
    }
  }
}

/// A timeline could not be written to a file.
public struct TimelineFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The message of the system.
  public let reason: String

  /// The file and the reason.
  public var description: String { "The timeline cannot be written to \(path): \(reason)." }
}
