/// A failure of a run, such as a failed expectation.
package struct RunFailure: Sendable, Hashable {
  /// The kind and the place of the failure, which are the same in each run in which it happens.
  ///
  /// Not the whole text, which may contain values that depend on the schedule.
  package let identity: String
  package let message: String
  /// Whether it has been reported, because the test framework does not let it be kept back.
  package let isReported: Bool
  /// Whether it is a warning, which fails no test.
  package let isWarning: Bool

  package init(
    identity: String, message: String, isReported: Bool = false, isWarning: Bool = false
  ) {
    self.identity = identity
    self.message = message
    self.isReported = isReported
    self.isWarning = isWarning
  }

  /// An error that a run throws: its type, and the case of an enum.
  package init(_ error: any Error) {
    self.init(identity: Self.kind(of: error), message: "\(error)")
  }

  /// The type of an error, and its case if it is an enum.
  package static func kind(of error: any Error) -> String {
    let mirror = Mirror(reflecting: error)
    let name = mirror.displayStyle == .enum ? mirror.children.first?.label ?? "\(error)" : ""
    return "\(String(reflecting: type(of: error))) \(name)"
  }

  /// The first line of a text, without the words that contain a digit.
  ///
  /// It tells apart what a scope reports at one line: that it is stuck, endless or held.
  package static func kind(ofText text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    return line.split(separator: " ").filter { !$0.contains(where: \.isNumber) }
      .joined(separator: " ")
  }
}
