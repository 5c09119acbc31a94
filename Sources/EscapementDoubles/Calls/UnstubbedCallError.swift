/// A spy was called, and the test has not said what it answers.
public struct UnstubbedCallError: Error, Sendable, CustomStringConvertible {
  enum Reason: Sendable {
    case noAnswer
    case answersUsedUp(Int)
    case handlerIsAsynchronous
  }

  /// The name of the spy.
  public let name: String

  let input: String
  let reason: Reason

  /// What was called, what that may mean, and what to do.
  public var description: String {
    let call = input == "()" ? "'\(name)' was called" : "'\(name)' was called with \(input)"
    return switch reason {
    case .noAnswer:
      """
      \(call), and has no answer.

      Either the code under test should not have called it, or the test has to say what it \
      answers: with 'returns', 'throws', 'sequence' or 'handler' of the spy.
      """
    case .answersUsedUp(let count):
      """
      \(call), and the \(count) answers of its sequence have been used up.

      Either the code under test calls it more often than it should, or the sequence has to be \
      longer.
      """
    case .handlerIsAsynchronous:
      """
      \(call) by a function that is not 'async', but its handler is: it cannot be waited for.

      Give the spy a handler that does not suspend.
      """
    }
  }
}
