/// A deadline has expired, and its operation was cancelled.
///
/// ``callSite`` and ``allowance`` identify the deadline when deadlines are nested.
public struct DeadlineExpiredError: Error, CustomStringConvertible {
  /// The instant of the deadline, of the clock that was passed with it.
  public let deadline: any InstantProtocol

  /// The time from the call to the deadline.
  ///
  /// It is not positive if the deadline had already passed.
  public let allowance: Duration

  /// The file and line that set the deadline, as `Module/File.swift:12`.
  public let callSite: String

  init(deadline: any InstantProtocol, allowance: Duration, fileID: StaticString, line: UInt) {
    self.deadline = deadline
    self.allowance = allowance
    callSite = "\(fileID):\(line)"
  }

  /// A sentence that identifies the deadline.
  public var description: String {
    "The deadline of \(allowance), set at \(callSite), has expired."
  }
}
