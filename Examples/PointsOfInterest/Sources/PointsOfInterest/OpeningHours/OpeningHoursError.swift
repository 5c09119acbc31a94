/// Opening hours that cannot be read.
public struct OpeningHoursError: Error, Hashable, CustomStringConvertible {
  /// The opening hours as they were given.
  public let text: String

  /// The part that cannot be read.
  public let part: String

  /// What should stand there.
  public let expected: String

  init(_ text: String, part: Substring, expected: String) {
    self.text = text
    self.part = String(part)
    self.expected = expected
  }

  /// A sentence for whoever wrote the opening hours.
  public var description: String {
    "cannot read the opening hours \"\(text)\": \"\(part)\" is not \(expected)"
  }
}
