/// The reason why a virtual-time scope, or an operation on its handle, has failed.
public enum VirtualTimeError: Error, Equatable, CustomStringConvertible {
  /// A scope was started inside another one.
  case nestedScope

  /// A scope was started while 2,048 others were alive.
  case tooManyScopes

  /// The handle was required outside all scopes.
  case outsideScope

  /// The handle was used after its scope had ended.
  case scopeEnded

  /// An option has an invalid value; the string names the option, the value, and what is wrong.
  case invalidOption(String)

  /// The scope reached a limit and cancelled the body, and the body ended by this cancellation.
  ///
  /// The scope has reported the reason as an issue.
  case limitReached

  /// The scope reached a limit and cancelled the body, and the body did not end.
  ///
  /// The scope no longer runs the body. It has reported the reason as an issue.
  case bodyGivenUp

  /// A message that says what happened, and what to do.
  public var description: String {
    switch self {
    case .nestedScope:
      """
      A virtual-time scope was started inside another one. Only one scope can move the time of a \
      task. Use the existing scope, 'VirtualTime.current', or start the new one outside it.
      """
    case .outsideScope:
      """
      'VirtualTime.required' was read outside all virtual-time scopes. The test may lack the trait: \
      write '@Test(.virtualTime)' or, in XCTest, derive the class from 'VirtualTimeTestCase'. Or \
      the task or thread may have begun before the scope, as one that 'setUp()' starts: start it in the test.
      """
    case .tooManyScopes:
      """
      A virtual-time scope was started while 2,048 others were alive, which is the limit. A loop \
      may start scopes without awaiting them. Run fewer scopes at the same time.
      """
    case .invalidOption(let option):
      "A virtual-time scope was started with an invalid option: \(option)."
    case .limitReached:
      """
      A virtual-time scope reached a limit and cancelled its body. The issue that was reported \
      before names the limit and its cause.
      """
    case .scopeEnded:
      """
      The handle of a virtual-time scope was used after the scope had ended. Its time no longer \
      moves. An object that outlives the body may still have the handle. Use the handle only \
      inside the body.
      """
    case .bodyGivenUp:
      """
      A virtual-time scope reached a limit and cancelled its body, and the body did not end. The \
      scope no longer runs it. The issue that was reported before names the limit and its cause.
      """
    }
  }
}
