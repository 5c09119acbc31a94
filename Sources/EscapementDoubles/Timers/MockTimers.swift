import EscapementTesting
import _EscapementCore

/// The timers that were scheduled with ``MockTimer`` in the body of one `withMockTimers`.
public final class MockTimers: Sendable {
  @TaskLocal static var current: MockTimers?

  private let state = Lock((timers: [MockTimer](), hasEnded: false))
  private let owner = DoubleOwner.current
  private let location: SourceLocation

  init(at location: SourceLocation) { self.location = location }

  /// All timers, valid or not, in the order in which they were scheduled.
  public var all: [MockTimer] { state.withLock { $0.timers } }

  /// The timer that was scheduled last.
  public var last: MockTimer? { state.withLock { $0.timers.last } }

  /// The number of timers that were scheduled.
  public var count: Int { state.withLock { $0.timers.count } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func add(_ timer: MockTimer) { state.withLock { $0.timers.append(timer) } }

  func report(_ message: String) { owner.report(message, at: location) }

  func end() { state.withLock { $0.hasEnded = true } }

  static func reportMissing(_ interval: Double) {
    // The caller's line is not known, because the signature is Foundation's.
    DoubleOwner.current.report(
      """
      A MockTimer of \(interval) s was scheduled outside 'withMockTimers'. It is invalid and will \
      not fire.

      The call may come from code outside 'withMockTimers { timers in … }', or from a thread, a detached \
      task or a dispatch queue that the body uses. Put the body of the test into 'withMockTimers', and \
      give the code under test a 'VirtualDispatchQueue' instead of its queue.
      """,
      at: SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
  }
}

/// Runs a body that can schedule ``MockTimer``, and passes it the record of these timers.
///
/// The record belongs to the body and to the tasks that the body starts. So tests that run at the
/// same time do not see each other's timers.
///
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; do not pass it.
/// - `body`: The code to run, on the caller's isolation.
/// - Returns: What the body returns.
/// - Throws: The error of the body.
public func withMockTimers<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (MockTimers) async throws -> Result
) async rethrows -> Result {
  let timers = MockTimers(
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { timers.end() }
  return try await MockTimers.$current.withValue(timers) { try await body(timers) }
}

/// Runs a body that can schedule ``MockTimer``, and passes it the record of these timers.
///
/// This is the variant for a body that does not suspend.
///
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `body`: The code to run.
/// - Returns: What the body returns.
/// - Throws: The error of the body.
public func withMockTimers<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  _ body: (MockTimers) throws -> Result
) rethrows -> Result {
  let timers = MockTimers(
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { timers.end() }
  return try MockTimers.$current.withValue(timers) { try body(timers) }
}
