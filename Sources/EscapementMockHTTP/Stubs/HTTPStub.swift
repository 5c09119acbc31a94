import EscapementTesting
import _EscapementCore

/// A stub: which requests it answers, and with what.
///
/// It is made by ``HTTPStubbing/stub(_:_:where:fileID:filePath:line:column:handler:)``, of a
/// ``MockHTTP`` or of a mock server. What is said of the answer afterwards applies to the one that was
/// given last:
///
/// ```swift
/// http.stub(.get, "/news", returns: .status(503)).times(2).then(.json(news))
/// ```
public struct HTTPStub: Sendable {
  /// Answers a request.
  ///
  /// It may wait, on any clock. An `URLError` that it throws is what the network answers; any other
  /// error fails the test.
  public typealias Handler = @Sendable (Request) async throws -> Response

  let table: HTTPStubTable
  let id: Int

  // MARK: The answers

  /// Gives the last answer once.
  @discardableResult public func once() -> HTTPStub { times(1) }

  /// Gives the last answer so many times, all of which have to happen.
  ///
  /// After that comes the next answer, if there is one; otherwise a request is not answered, which
  /// fails the test.
  ///
  /// - Parameter count: How often; less than one is reported as an issue at the line of the stub.
  @discardableResult public func times(_ count: Int) -> HTTPStub {
    if count < 1 {
      table.report(
        "\(table.entry(id).description) is to answer \(count) times. Say how often: at least once.",
        id)
    } else {
      table.change(id) { $0.limitLastAnswer(to: count) }
    }
    return self
  }

  /// Answers otherwise afterwards; without ``times(_:)`` before, after the first request.
  @discardableResult public func then(_ handler: @escaping Handler) -> HTTPStub {
    table.change(id) { $0.addAnswer(handler) }
    return self
  }

  /// Answers otherwise afterwards; without ``times(_:)`` before, after the first request.
  @discardableResult public func then(_ response: Response) -> HTTPStub { then { _ in response } }

  /// Allows the stub never to be called.
  @discardableResult public func optional() -> HTTPStub {
    table.change(id) { $0.isOptional = true }
    return self
  }

  // MARK: The record

  /// The requests that it was given, in the order of their arrival.
  public var requests: [Request] { table.calls(of: id) }

  /// How many requests it was given.
  public var callCount: Int { table.entry(id).callCount }

  /// How many of its requests were cancelled before the answer was complete.
  public var cancellationCount: Int { table.entry(id).cancellations.count }

  /// Suspends until the stub has received so many requests.
  ///
  /// Returns at once if it has received them already.
  ///
  /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope reports
  /// that it is stuck. Elsewhere the limit is a minute of real time.
  ///
  /// - `count`: The number of requests.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
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
  /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope reports
  /// that it is stuck. Elsewhere the limit is a minute of real time.
  ///
  /// - `count`: The number of cancelled requests.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
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
