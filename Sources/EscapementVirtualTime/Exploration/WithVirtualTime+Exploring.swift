import _EscapementCore

extension VirtualTimeOptions {
  /// The options, with the schedule that the environment asks for.
  func followingEnvironment() throws -> VirtualTimeOptions {
    guard exploredRun == nil,
      case .single(let source) = try ExploredTest.Plan.single(nil).following()
    else { return self }
    return following(source)
  }

  /// The options, with a schedule if there is one.
  func following(_ source: ScheduleSource?) -> VirtualTimeOptions {
    guard let source else { return self }
    let recording: ExploredRun.Recording =
      ExplorationVariables.tellsSteps ? .steps : .fingerprint
    return following(ExploredRun(source, recording: recording, stallsAtOnce: false))
  }
}

/// Runs a body in virtual time under many schedules, until it fails under one.
///
/// At first, the body runs in the plain order, as in
/// ``withVirtualTime(_:fileID:filePath:line:column:isolation:_:)``. Then it runs once for each
/// seed. A body fails if it throws, reaches a limit of the scope, or records an issue. What is
/// outside the body must not change by a run: create the objects under test in the body.
///
/// The search ends with the first schedule that fails. It is made as small as possible, and the
/// body runs under it once more, now with its failures. If no schedule fails, nothing is reported,
/// except a warning if two runs of one seed differ.
///
/// - `seedCount`: How many seeds to try, 0 or more.
/// - `options`: How the scopes behave.
/// - `exploration`: How the schedules are explored.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `body`: The code to run, many times.
/// - Returns: What the body returns in the last run.
/// - Throws: What the body throws under the smallest failing schedule, and what
///   ``withVirtualTime(_:fileID:filePath:line:column:isolation:_:)`` throws.
public func withVirtualTime<Result>(
  exploring seedCount: Int,
  _ options: VirtualTimeOptions = VirtualTimeOptions(),
  exploration: ExplorationOptions = ExplorationOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  @_implicitSelfCapture _ body: @escaping @concurrent (VirtualTime) async throws -> Result
) async throws -> Result {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let repeated = RepeatedBody(body, at: location)
  let plan = try ExploredTest.Plan.explore(seedCount).following()
  switch plan {
  case .single(let source):
    try await repeated.run(options.following(source))
  case .explore(let seedCount):
    let test = repeated.test("\(fileID):\(line)", options, exploration)
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
  }
  guard let result = repeated.result else { throw VirtualTimeError.bodyGivenUp }
  return result
}

/// Runs a body in virtual time under the schedule of a seed.
///
/// - `seed`: The seed, as a report of an exploration names it.
/// - `strategy`: How the schedule is drawn.
/// - `options`: How the scope behaves.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation.
/// - `body`: The code to run.
/// - Returns: What the body returns.
/// - Throws: As ``withVirtualTime(_:fileID:filePath:line:column:isolation:_:)``.
public func withVirtualTime<Result>(
  seed: UInt64,
  strategy: ExplorationStrategy = .byTurns,
  _ options: VirtualTimeOptions = VirtualTimeOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  @_implicitSelfCapture _ body: @escaping @concurrent (VirtualTime) async throws -> Result
) async throws -> Result {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await run(
    body, options.following(.seed(seed, strategy)), isolation: isolation,
    reporting: ProblemReporter(at: location))
}

/// Runs a body in virtual time under a schedule.
///
/// - `schedule`: The text of the schedule, as a report of an exploration prints it; see
///   ``ExecutionSchedule``.
/// - `options`: How the scope behaves.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation.
/// - `body`: The code to run.
/// - Returns: What the body returns.
/// - Throws: ``ScheduleSyntaxError`` for a text that is no schedule; as
///   ``withVirtualTime(_:fileID:filePath:line:column:isolation:_:)``.
public func withVirtualTime<Result>(
  schedule: String,
  _ options: VirtualTimeOptions = VirtualTimeOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  @_implicitSelfCapture _ body: @escaping @concurrent (VirtualTime) async throws -> Result
) async throws -> Result {
  let schedule = try ExecutionSchedule(parsing: schedule)
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await run(
    body, options.following(.schedule(schedule)), isolation: isolation,
    reporting: ProblemReporter(at: location))
}

/// Runs a body in virtual time under many schedules, and returns what was found.
///
/// In contrast to
/// ``withVirtualTime(exploring:_:exploration:fileID:filePath:line:column:isolation:_:)``, a failure
/// is not reported but returned. For tools, and for tests of racy code.
///
/// - `seedCount`: How many seeds to try, 0 or more.
/// - `options`: How the scopes behave.
/// - `exploration`: How the schedules are explored.
/// - `fileID`, `filePath`, `line`, `column`: The source location that stands for the body; by
///   default that of the caller.
/// - `body`: The code to run, many times.
/// - Returns: How many schedules were tried, what they covered, and the smallest one that fails.
/// - Throws: ``VirtualTimeError/invalidOption(_:)`` for a malformed variable of the environment.
public func withExploration(
  _ seedCount: Int,
  _ options: VirtualTimeOptions = VirtualTimeOptions(),
  exploration: ExplorationOptions = ExplorationOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  @_implicitSelfCapture _ body: @escaping @concurrent (VirtualTime) async throws -> Void
) async throws -> ExplorationReport {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await RepeatedBody(body, at: location)
    .test("\(fileID):\(line)", options, exploration).explore(seedCount)
}

/// A body that runs many times, and what it has returned at last.
private final class RepeatedBody<Result>: @unchecked Sendable {
  // Sendable because one run follows another, and the caller waits for all of them.

  private let body: @concurrent (VirtualTime) async throws -> Result
  private let location: SourceLocation
  private(set) var result: Result?

  init(
    _ body: @escaping @concurrent (VirtualTime) async throws -> Result, at location: SourceLocation
  ) {
    self.body = body
    self.location = location
  }

  func run(_ options: VirtualTimeOptions) async throws {
    result = nil
    result = try await EscapementVirtualTime.run(
      body, options, isolation: nil, reporting: ProblemReporter(at: location))
  }

  func test(
    _ name: String, _ options: VirtualTimeOptions, _ exploring: ExplorationOptions
  ) -> ExploredTest {
    ExploredTest(
      name: name, options: options, exploring: exploring,
      reporting: ProblemReporter(at: location),
      in: "\(location.filePath)", filter: .current, perform: run)
  }
}
