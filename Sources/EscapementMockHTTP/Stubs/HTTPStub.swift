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

  /// Waits until it has been given so many requests, or the waiting task is cancelled.
  ///
  /// In a virtual-time scope this takes as long as anything can happen there; then the scope reports
  /// that it is stuck. Elsewhere the test fails after a minute of real time.
  public func wait(
    forCallCount count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let entry = table.entry(id)
    await table.wait(
      for: count, "requests for \(entry.description)",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      entry.calls)
  }

  /// Waits until so many of its requests were cancelled, or the waiting task is cancelled.
  ///
  /// In a virtual-time scope this takes as long as anything can happen there; then the scope reports
  /// that it is stuck. Elsewhere the test fails after a minute of real time.
  public func wait(
    forCancellationCount count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let entry = table.entry(id)
    await table.wait(
      for: count, "cancelled requests for \(entry.description)",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      entry.cancellations)
  }
}
