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

  /// The error with which the operation ended after the deadline had cancelled it.
  ///
  /// It is usually a `CancellationError`, or another error that means the same, such as
  /// `URLError(.cancelled)`. It is `nil` if the operation may still run, which is so after
  /// `withUnstructuredDeadline`.
  public let operationError: (any Error)?

  /// Creates an error, for a test or a deadline of your own.
  ///
  /// - Parameters:
  ///   - deadline: The instant of the deadline.
  ///   - allowance: The time from the call to the deadline.
  ///   - operationError: The error with which the operation ended; `nil` if it may still run.
  ///   - fileID: The file that set the deadline.
  ///   - line: The line that set the deadline.
  public init(
    deadline: any InstantProtocol, allowance: Duration, operationError: (any Error)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.deadline = deadline
    self.allowance = allowance
    self.operationError = operationError
    callSite = "\(fileID):\(line)"
  }

  /// A sentence that identifies the deadline, and the error of the operation unless that is a
  /// `CancellationError`.
  public var description: String {
    let expiry = "The deadline of \(allowance), set at \(callSite), has expired."
    guard let operationError, !(operationError is CancellationError) else { return expiry }
    return "\(expiry) The operation, which was cancelled, threw: \(operationError)"
  }
}
