/// A value was given that the piece cannot work with.
///
/// Functions that can throw throw it. Where throwing would burden every caller for the sake of a
/// slip of the pen, it is reported instead: a failed test under test, a runtime warning otherwise.
public struct InvalidArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the argument, as it is written at the call.
  public let argument: String
  /// The value that was given.
  public let value: String
  /// What the value would have to be.
  public let requirement: String

  package init(_ argument: String, _ value: some Sendable, mustBe requirement: String) {
    self.argument = argument
    self.value = "\(value)"
    self.requirement = requirement
  }

  /// The argument, its value, and what it would have to be.
  public var description: String {
    "'\(argument)' is \(value), but must be \(requirement)."
  }
}

extension SourceLocation {
  /// Reports an argument where throwing is not possible.
  package func report(_ error: InvalidArgumentError, consequence: String) {
    reportIssue("\(error)\n\n\(consequence)")
  }
}
