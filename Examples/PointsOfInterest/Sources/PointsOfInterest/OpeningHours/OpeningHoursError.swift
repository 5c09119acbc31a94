/// Opening hours that cannot be read.
public struct OpeningHoursError: Error, Hashable, CustomStringConvertible {
  /// The text of the opening hours.
  public let text: String

  /// The part that cannot be read.
  public let part: String

  /// A description of valid text for this part.
  public let expected: String

  init(_ text: String, part: Substring, expected: String) {
    self.text = text
    self.part = String(part)
    self.expected = expected
  }

  /// A message that names the text, the invalid part, and what is valid there.
  public var description: String {
    "cannot read the opening hours \"\(text)\": \"\(part)\" is not \(expected)"
  }
}
