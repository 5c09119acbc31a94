/// A failure in a timeline.
package struct TimelineFailure: Sendable {
  private let text: @Sendable () -> String
  /// The path of the source file; `nil` if it is not known.
  let path: String?
  let line: Int

  /// - Parameter text: The message. It is called late, because the lines of places take time.
  package init(path: String? = nil, line: Int = 0, _ text: @escaping @Sendable () -> String) {
    self.text = text
    self.path = path
    self.line = line
  }

  /// The first line of the message.
  var message: String {
    let longest = 300
    let first = text().split(whereSeparator: \.isNewline).first ?? ""
    return first.count > longest ? first.prefix(longest) + "…" : String(first)
  }

  /// The name of the file and the line; `nil` if they are not known.
  var place: String? {
    path?.split(separator: "/").last.map { "\($0):\(line)" }
  }
}
