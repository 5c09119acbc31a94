/// A spy was called, but the test has not set an answer.
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

  /// The event, its likely cause, and the remedy.
  public var description: String {
    let call = input == "()" ? "'\(name)' was called" : "'\(name)' was called with \(input)"
    return switch reason {
    case .noAnswer:
      """
      \(call), but has no answer.

      The code under test may have made a call that it should not make. If the call is right, set an \
      answer with 'returns', 'throws', 'sequence' or 'handler'.
      """
    case .answersUsedUp(let count):
      """
      \(call), but all \(count) answers of its sequence have been used.

      The code under test may call it too often. If the number of calls is right, add answers to the \
      sequence.
      """
    case .handlerIsAsynchronous:
      """
      \(call) by a function that is not 'async', but the handler of the spy is 'async'.

      The function cannot wait for the handler. Set a handler that does not suspend, or pass the spy's \
      'asyncFunction' to code that takes an 'async' function.
      """
    }
  }
}
