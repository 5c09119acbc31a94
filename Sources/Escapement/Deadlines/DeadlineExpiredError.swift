/// A deadline expired, and what had to be done by then was cancelled.
///
/// When deadlines are nested, ``callSite`` and ``allowance`` tell which one it was.
public struct DeadlineExpiredError: Error, CustomStringConvertible {
  /// The instant that passed, of the clock that the deadline was set with.
  public let deadline: any InstantProtocol

  /// How much time there was when the deadline was set; not positive if it had passed already.
  public let allowance: Duration

  /// Where the deadline was set, as `Module/File.swift:12`.
  public let callSite: String

  init(deadline: any InstantProtocol, allowance: Duration, fileID: StaticString, line: UInt) {
    self.deadline = deadline
    self.allowance = allowance
    callSite = "\(fileID):\(line)"
  }

  /// Which deadline expired.
  public var description: String {
    "The deadline that was set at \(callSite), \(allowance) ahead, has expired."
  }
}
