import CVirtualTime
import IssueReporting
import _EscapementCore

/// Runs a body in virtual time: waiting takes no real time, and every task wakes at its exact
/// instant.
///
/// ```swift
/// try await withVirtualTime { time in
///   model.schedule()  // starts a task that sleeps for a day with a bare Task.sleep
///   await time.advance(by: .seconds(86_400))
///   #expect(model.sent == 1)
/// }
/// ```
///
/// All work that the body starts belongs to the scope: child tasks, `Task {}`, `Task.detached`,
/// groups, actors, main-actor work. The jobs of a scope run one at a time, first come first served:
/// main-actor jobs on the main queue, all others on a thread of the scope. Time moves only when
/// none of them can run, on any thread. By default, it jumps to the next deadline while the body
/// waits. Other scopes and code outside the scope are not affected.
///
/// Sleeps with equal deadlines end in the order in which they began. Each one ends when all work
/// that followed from the one before is done, and a sleep of the body ends last. So a body that has
/// slept for a second has seen all work of this second.
///
/// The scope ends when the body ends. Time then stops, and the scope cancels tasks that are left
/// over and reports them as ``VirtualTimeOptions/leftovers-swift.property`` says. Under Swift
/// Testing and XCTest, problems such as a stuck body are reported as issues at the line of the
/// call. In other programs, they are printed.
///
/// - `options`: How the scope behaves.
/// - `order`: The order in which jobs run; ``ExecutionOrder/exploring(_:_:)`` runs the body many
///   times. Explored and replayed bodies run outside all actors.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation.
/// - `body`: The code to run, with the caller's task-local values and priority. A closure in the
///   code of an actor runs on that actor. Any other closure runs outside all actors, like the body
///   of `withTaskGroup`. When the caller is cancelled, the body is cancelled as well.
/// - Returns: The result of the body, or of its last run.
/// - Throws: The error of the body; ``VirtualTimeError/nestedScope`` inside another scope,
///   ``VirtualTimeError/limitReached`` or ``VirtualTimeError/bodyGivenUp`` after a problem that has
///   been reported; ``VirtualTimeError/invalidOption(_:)``, also for a malformed variable of the
///   environment; ``VirtualTimeError/tooManyScopes``; ``ScheduleSyntaxError`` for a malformed
///   schedule.
public func withVirtualTime<Result>(
  _ options: VirtualTimeOptions = VirtualTimeOptions(),
  order: ExecutionOrder = .plain,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  // Concurrent, so that a test that is not 'Sendable' may await its own methods in the body,
  // whatever its language mode. Escaping, because a body that was given up may still run on some
  // thread when the caller goes on; its captured variables must not be on the caller's stack then.
  @_implicitSelfCapture _ body: @escaping @concurrent (VirtualTime) async throws -> Result
) async throws -> Result {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let plan = try order.plan()
  // Only tests with the trait follow a request of the environment to explore.
  if case .exploring = order, case .explore(let seedCount, let exploration) = plan {
    return try await RepeatedBody(body, at: location).explore(seedCount, exploration, options)
  }
  // A seed and a schedule make the same choices only where they were found: outside all actors.
  if case .single(_?) = plan {
    return try await RepeatedBody(body, at: location).once(options.following(plan))
  }
  return try await run(
    body, options, isolation: isolation, reporting: ProblemReporter(at: location))
}

/// Runs a body that does not escape, as the trait of a test gets it.
package func withVirtualTime(
  _ options: VirtualTimeOptions, _ plan: ExecutionOrder.Plan, reporting reporter: ProblemReporter,
  _ body: @Sendable @concurrent () async throws -> Void
) async throws {
  try await withoutActuallyEscaping(body) { body in
    do {
      try await run(
        { _ in try await body() }, options.following(plan), isolation: nil, reporting: reporter)
    } catch VirtualTimeError.bodyGivenUp {
      // The frames of an abandoned body still reference the closure, and 'withoutActuallyEscaping'
      // would trap. These frames never run again, so the references can be released.
      if let context = context(of: body) {
        while cvt_retain_count(context) > 1 { Unmanaged<AnyObject>.fromOpaque(context).release() }
      }
      throw VirtualTimeError.bodyGivenUp
    }
  }
}

/// The object that holds the captured values of a closure.
@_silgen_name("cvt_closure_context")
private func context(
  of closure: @Sendable @concurrent () async throws -> Void
) -> UnsafeMutableRawPointer?

func run<Result>(
  _ body: @escaping @concurrent (VirtualTime) async throws -> Result, _ options: VirtualTimeOptions,
  isolation: isolated (any Actor)?, reporting reporter: ProblemReporter
) async throws -> Result {
  guard Scope.current == nil else { throw VirtualTimeError.nestedScope }
  _ = installed
  await SelfTest.run()
  try options.check()
  if options.takesSharedEventLoops { await SharedEventLoops.take() }
  defer { if options.takesSharedEventLoops { SharedEventLoops.giveBack() } }
  guard let scope = Scopes.begin(options, name: reporter.name) else {
    throw VirtualTimeError.tooManyScopes
  }
  let filter: any FailureFilter = ReportedFailureFilter.current
  let run = BodyRun(
    body, time: VirtualTime(scope),
    filter: filter.addsComments || options.watchesFailures ? filter : nil)
  let end = await withTaskCancellationHandler {
    await withUnsafeContinuation { continuation in
      scope.caller.withLock { caller in
        caller.task = cvt_current_task()
        caller.whenFinished = { continuation.resume(returning: $0) }
      }
      let drainer = Drainer.first(on: isolation)
      _ = scope.state.withLock { $0.startDraining() }
      // Not before: a loop that joins would have the scope drained by another thread.
      scope.takeSharedThreads()
      if scope.isExploring {
        Platform.prepareExploring()
        cvt_random_begins(scope.number, options.repeatsRandomNumbers)
      }
      cvt_thread_set_birth(scope.number)
      cvt_thread_set_explores(scope.isExploring)
      let task = Task {
        scope.body.begin()
        await Scope.$inherited.withValue(scope.number) { await run(isolation: isolation) }
        scope.endBody()
      }
      cvt_thread_set_birth(0)
      cvt_thread_set_explores(false)
      scope.body.start(task)
      scope.begin(by: drainer)
    }
  } onCancel: {
    scope.body.cancel()
  }
  options.exploredRun?.end(
    scope.state.withLock({ $0.exploring }), hasReachedLimit: end != .completed)
  let problems = scope.reports.problems.withLock { $0 }
  let timeline = scope.timelineOfItsOwn
  let lastSteps = problems.isEmpty ? "" : timeline?.lastSteps ?? ""
  for problem in problems {
    let message = problem.message(end) + run.consequences + lastSteps
    reporter.report(message, severity: problem.severity)
  }
  scope.reports.lastWords.withLock { $0 = nil }
  if let timeline {
    let hasFailed = problems.contains { $0.severity == .error } || run.hasFailed
    TraceFolder.current?.write(timeline, of: reporter.name, hasFailed: hasFailed)
  }
  switch (run.result, end) {
  case (_, .givenUp), (nil, _): throw VirtualTimeError.bodyGivenUp
  case (.failure(is CancellationError), .completedAfterLimit): throw VirtualTimeError.limitReached
  case (let result?, _): return try result.get()
  }
}

/// Starts to capture jobs when the first scope starts.
private let installed: Void = {
  Routing.connect()
  Reach.connect()
  SimulationPoint.connect()
  Platform.install()
  SettlingScope.find { Scope.current }
}()

/// Hands the body to the scope's task, and its result back to the caller.
private final class BodyRun<Result>: @unchecked Sendable {
  // Sendable because the caller waits while the scope's task uses it. An abandoned body never runs
  // again inside the scope, and its result is not read.

  private let body: @concurrent (VirtualTime) async throws -> Result
  private let time: VirtualTime
  /// Learns of the failures in the body, if that is wanted.
  private let filter: (any FailureFilter)?
  private let failures = RecordedFailures()
  private(set) var result: Swift.Result<Result, any Error>?

  /// Whether the body has thrown an error, or has been seen to fail.
  var hasFailed: Bool {
    if case .failure = result { true } else { failures.hasFailed }
  }

  /// The end of a message that says why the body was cancelled.
  var consequences: String { failures.consequences }

  init(
    _ body: @escaping @concurrent (VirtualTime) async throws -> Result, time: VirtualTime,
    filter: (any FailureFilter)?
  ) {
    self.body = body
    self.time = time
    self.filter = filter
  }

  func callAsFunction(isolation: isolated (any Actor)?) async {
    guard let filter else { return await perform(isolation: isolation) }
    // Tasks that outlive the body have these closures, too: they must not keep the body.
    let (scope, failures) = (time.scope, failures)
    // The body throws nothing.
    try? await filter.run(
      isInRun: { Scope.current === scope }, decide: { failures.decide($0, in: scope) },
      { await self.perform(isolation: isolation) })
  }

  private func perform(isolation: isolated (any Actor)?) async {
    do {
      result = .success(try await body(time))
    } catch {
      result = .failure(error)
      time.scope.recorder?.fails(TimelineFailure { "It throws \(error)." })
    }
  }
}
