import _EscapementCore

extension SourceLocation {
  /// File and line, as they appear in messages.
  var short: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}
