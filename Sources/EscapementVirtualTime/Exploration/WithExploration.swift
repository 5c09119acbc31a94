import _EscapementCore

/// Runs a body in virtual time under many schedules, and returns a report.
///
/// It explores as ``ExecutionOrder/exploring(_:_:)`` does, but returns a failure instead of
/// reporting it. For tools, and for tests of racy code.
///
/// - `seedCount`: The number of seeds to try, 0 or more.
/// - `exploration`: How the schedules are explored.
/// - `options`: How the scopes behave.
/// - `fileID`, `filePath`, `line`, `column`: The source location that stands for the body; by
///   default that of the caller.
/// - `body`: The code to run, many times.
/// - Returns: How many schedules were tried, what they covered, and the smallest one that fails.
/// - Throws: ``VirtualTimeError/invalidOption(_:)`` for a negative number of seeds, or a malformed
///   variable of the environment.
public func withExploration(
  _ seedCount: Int,
  _ exploration: ExplorationOptions = ExplorationOptions(),
  options: VirtualTimeOptions = VirtualTimeOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  @_implicitSelfCapture _ body: @escaping @concurrent (VirtualTime) async throws -> Void
) async throws -> ExplorationReport {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await RepeatedBody(body, at: location)
    .test(options, exploration).explore(seedCount)
}

/// A body that runs many times, and its last result.
final class RepeatedBody<Result>: @unchecked Sendable {
  // Sendable because one run follows another, and the caller waits for all of them.

  private let body: @concurrent (VirtualTime) async throws -> Result
  private let location: SourceLocation
  private var result: Result?

  init(
    _ body: @escaping @concurrent (VirtualTime) async throws -> Result, at location: SourceLocation
  ) {
    self.body = body
    self.location = location
  }

  /// Runs the body until it fails under a schedule, and reports that failure.
  func explore(
    _ seedCount: Int, _ exploration: ExplorationOptions, _ options: VirtualTimeOptions
  ) async throws -> Result {
    let test = test(options, exploration)
    let report = try await test.explore(seedCount)
    if let failure = report.failure {
      do {
        try await test.replay(failure, of: report)
      } catch let error as ExploredTest.ReportedError {
        if let summary = error.summary { location.reportIssue(summary) }
        throw error.underlying
      }
    } else {
      test.warn(of: report)
    }
    return try lastResult()
  }

  /// Runs the body as one run of an exploration.
  func once(_ options: VirtualTimeOptions) async throws -> Result {
    try await run(options)
    return try lastResult()
  }

  private func lastResult() throws -> Result {
    guard let result else { throw VirtualTimeError.bodyGivenUp }
    return result
  }

  private func run(_ options: VirtualTimeOptions) async throws {
    result = nil
    result = try await EscapementVirtualTime.run(
      body, options, isolation: nil, reporting: ProblemReporter(at: location))
  }

  func test(_ options: VirtualTimeOptions, _ exploring: ExplorationOptions) -> ExploredTest {
    ExploredTest(
      name: "\(location.fileID):\(location.line)", options: options, exploring: exploring,
      reporting: ProblemReporter(at: location),
      in: "\(location.filePath)", filter: .current, perform: run)
  }
}
