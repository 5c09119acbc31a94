import _EscapementCore

extension SourceLocation {
  /// File and line, for messages.
  var short: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}
