/// Why a virtual-time scope, or an operation on its handle, could not do what it was asked to.
public enum VirtualTimeError: Error, Equatable, CustomStringConvertible {
  /// A scope was started inside another one.
  case nestedScope

  /// A scope was started while thousands of others were alive.
  case tooManyScopes

  /// The handle was used after its scope had ended.
  case scopeEnded

  /// An option has a value that makes no sense; names the option and the value.
  case invalidOption(String)

  /// A limit was reached, and the body ended because it was cancelled for that.
  ///
  /// What was wrong has been reported as an issue.
  case limitReached

  /// The body was given up: it did not end after a limit was reached and it had been cancelled.
  ///
  /// What was wrong has been reported as an issue.
  case bodyGivenUp

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .nestedScope:
      """
      A virtual-time scope was started inside another one. Time can only be moved by one of them: \
      use the scope that is there, 'VirtualTime.current'.
      """
    case .tooManyScopes:
      """
      A virtual-time scope was started while 2,048 others were alive. Scopes may not have ended, or \
      are started in a loop without waiting for them.
      """
    case .invalidOption(let option):
      "A virtual-time scope was started with a value that makes no sense: \(option)."
    case .limitReached:
      """
      The body of a virtual-time scope was cancelled because a limit was reached. The reason has \
      been reported.
      """
    case .scopeEnded:
      """
      The handle of a virtual-time scope was used after the scope had ended. Its time stands for \
      ever: keep the handle inside the body.
      """
    case .bodyGivenUp:
      """
      The body of a virtual-time scope did not end after it had been cancelled, and was given up. \
      The reason has been reported.
      """
    }
  }
}
