/// An argument is outside of its valid range.
///
/// A function that throws anyway throws this error. Other functions report it as an issue, so that
/// callers need no `try` for a programming error. An issue fails the test in a test, and is a
/// runtime warning in an app.
public struct InvalidArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the argument in the documentation of the function.
  public let argument: String
  /// The value of the argument.
  public let value: String
  /// The requirement that the value does not meet.
  public let requirement: String

  /// Creates an error, for a test or a function of your own.
  ///
  /// - Parameters:
  ///   - argument: The name of the argument in the documentation of the function.
  ///   - value: The value of the argument.
  ///   - requirement: What the value must be, such as "zero or positive".
  public init(_ argument: String, _ value: some Sendable, mustBe requirement: String) {
    self.argument = argument
    self.value = "\(value)"
    self.requirement = requirement
  }

  /// The argument, its value, and what the value must be.
  public var description: String {
    "'\(argument)' is \(value), but must be \(requirement)."
  }
}

extension SourceLocation {
  /// Reports an invalid argument of a function that does not throw.
  package func report(_ error: InvalidArgumentError, consequence: String) {
    reportIssue("\(error)\n\n\(consequence)")
  }
}
