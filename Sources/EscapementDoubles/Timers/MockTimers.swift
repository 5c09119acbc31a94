import EscapementTesting
import _EscapementCore

/// The timers that a test has scheduled with ``MockTimer``, and no other test's.
public final class MockTimers: Sendable {
  @TaskLocal static var current: MockTimers?

  private let state = Lock((timers: [MockTimer](), hasEnded: false))
  private let owner = DoubleOwner.current
  private let location: SourceLocation

  init(at location: SourceLocation) { self.location = location }

  /// All that were scheduled, in the order of the calls, valid or not.
  public var all: [MockTimer] { state.withLock { $0.timers } }

  /// The one that was scheduled last.
  public var last: MockTimer? { state.withLock { $0.timers.last } }

  /// How many were scheduled.
  public var count: Int { state.withLock { $0.timers.count } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func add(_ timer: MockTimer) { state.withLock { $0.timers.append(timer) } }

  func report(_ message: String) { owner.report(message, at: location) }

  func end() { state.withLock { $0.hasEnded = true } }

  static func reportMissing(_ interval: Double) {
    // The line of the caller is not known: the signature is Foundation's.
    DoubleOwner.current.report(
      """
      A MockTimer of \(interval) s was scheduled outside 'withMockTimers'. It is invalid and will \
      not fire.

      Put the test's body into 'withMockTimers { timers in … }'. If it is inside, the timer was \
      scheduled by a thread, a detached task or a dispatch queue that does not belong to the \
      test: give the code under test a 'VirtualDispatchQueue' in the place of the queue.
      """,
      at: SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
  }
}

/// Runs a body in which ``MockTimer`` can be scheduled, and hands it the record of these timers.
///
/// The record belongs to the body and to the tasks that it starts, so that tests which run at the
/// same time do not see each other's timers.
///
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; leave it out.
/// - `body`: The code to run, on the caller's isolation.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
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

/// Runs a body in which ``MockTimer`` can be scheduled, and hands it the record of these timers.
///
/// The same for a body that does not suspend.
///
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `body`: The code to run.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
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
