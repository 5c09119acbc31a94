import EscapementTesting
import _EscapementCore

/// A stub: the requests that it matches, and its answers.
///
/// ``HTTPStubbing/stub(_:_:where:fileID:filePath:line:column:handler:)`` creates it, on a
/// ``MockHTTP`` or on a mock server. The methods that follow apply to the last answer:
///
/// ```swift
/// http.stub(.get, "/news", returns: .status(503)).times(2).then(.json(news))
/// ```
public struct HTTPStub: Sendable {
  /// Answers a request.
  ///
  /// A handler may wait, on any clock. If it throws a `URLError`, the request fails with this
  /// error. Any other error fails the test as well.
  public typealias Handler = @Sendable (Request) async throws -> Response

  let table: HTTPStubTable
  let id: Int

  // MARK: The answers

  /// Gives the last answer once; see ``times(_:)``.
  @discardableResult public func once() -> HTTPStub { times(1) }

  /// Gives the last answer exactly `count` times.
  ///
  /// Fewer requests fail the test at its end. Further requests get the next answer; if there is
  /// none, they fail, and the test fails.
  ///
  /// - Parameter count: A positive number. Any other number fails the test at the line of the stub.
  @discardableResult public func times(_ count: Int) -> HTTPStub {
    if count < 1 {
      table.report(
        """
        'count' must be positive (got \(count)) for the stub \(table.entry(id).description). The number \
        is ignored.

        For a stub that need not be called, use '.optional()'.
        """, id)
    } else {
      table.change(id) { $0.limitLastAnswer(to: count) }
    }
    return self
  }

  /// Adds an answer, which follows the last one.
  ///
  /// Without ``times(_:)``, the last answer is given once.
  @discardableResult public func then(_ handler: @escaping Handler) -> HTTPStub {
    table.change(id) { $0.addAnswer(handler) }
    return self
  }

  /// Adds an answer, which follows the last one.
  ///
  /// Without ``times(_:)``, the last answer is given once.
  @discardableResult public func then(_ response: Response) -> HTTPStub { then { _ in response } }

  /// Allows the stub to be called too seldom, or never.
  @discardableResult public func optional() -> HTTPStub {
    table.change(id) { $0.isOptional = true }
    return self
  }

  // MARK: The record

  /// The requests that the stub has received, in the order of their arrival.
  public var requests: [Request] { table.calls(of: id) }

  /// The number of requests that the stub has received.
  public var callCount: Int { table.entry(id).callCount }

  /// The number of its requests that were cancelled before the answer was complete.
  public var cancellationCount: Int { table.entry(id).cancellations.count }

  /// Suspends until the stub has received so many requests.
  ///
  /// Returns at once if it has received them already.
  ///
  /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope
  /// reports that it is stuck. Elsewhere the limit is a minute of real time.
  ///
  /// - `count`: The number of requests.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - Throws: `CancellationError` if the task is cancelled; `MissingEventsError` at the limit.
  public func wait(
    forCallCount count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    let entry = table.entry(id)
    try await entry.calls.wait(
      for: count, "requests for \(entry.description)",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Suspends until so many requests of the stub have been cancelled.
  ///
  /// Returns at once if they have been cancelled already.
  ///
  /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope
  /// reports that it is stuck. Elsewhere the limit is a minute of real time.
  ///
  /// - `count`: The number of cancelled requests.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - Throws: `CancellationError` if the task is cancelled; `MissingEventsError` at the limit.
  public func wait(
    forCancellationCount count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    let entry = table.entry(id)
    try await entry.cancellations.wait(
      for: count, "cancelled requests for \(entry.description)",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
