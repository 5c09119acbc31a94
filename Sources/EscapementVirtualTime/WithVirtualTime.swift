import CVirtualTime
package import EscapementClocks
import _EscapementCore

/// Runs a body in virtual time: whatever waits in it takes no real time, and everything is exact.
///
/// ```swift
/// try await withVirtualTime { time in
///   model.schedule()  // starts a task that sleeps for a day with a bare Task.sleep
///   await time.advance(by: .seconds(86_400))
///   #expect(model.sent == 1)
/// }
/// ```
///
/// Everything that is started while the body runs belongs to the scope: child tasks, `Task {}`,
/// `Task.detached`, groups, actors, main-actor work. Its jobs run one at a time, first come first
/// served, on the main queue. Time moves only when none of them can run, and by default jumps to
/// the next deadline while the body waits. Other scopes, and all code outside, are not affected.
///
/// Sleeps with equal deadlines end in the order in which they began, each when all that follows from
/// the one before is done; a sleep of the body itself ends last. So when the body has slept for a
/// second, all that happens within this second has happened.
///
/// The scope ends when the body ends: time stops, and tasks that are left over are cancelled and
/// reported as ``VirtualTimeOptions/leftovers`` says. Problems (a stuck body, endless timers) are
/// reported as issues at the place of the call, under Swift Testing and XCTest; elsewhere they are
/// printed.
///
/// - Parameters:
///   - options: How the scope behaves.
///   - fileID: The caller's file.
///   - filePath: The caller's path.
///   - line: The caller's line, where issues are reported.
///   - column: The caller's column.
///   - isolation: The caller's isolation.
///   - body: The code to run, on the caller's isolation, with the caller's task-local values and
///     priority. It is cancelled when the caller is cancelled.
/// - Returns: What the body returns.
/// - Throws: What the body throws; ``VirtualTimeError/nestedScope`` inside another scope,
///   ``VirtualTimeError/limitReached`` or ``VirtualTimeError/bodyGivenUp`` after a problem that has
///   been reported; ``VirtualTimeError/invalidOption(_:)``.
public func withVirtualTime<Result>(
  _ options: VirtualTimeOptions = VirtualTimeOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: @escaping (VirtualTime) async throws -> Result
) async throws -> Result {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await run(body, options, at: location, isolation: isolation)
}

/// The same for a body that does not escape, as the trait of a test gets it.
package func withVirtualTime(
  _ options: VirtualTimeOptions, at location: SourceLocation,
  _ body: @Sendable @concurrent () async throws -> Void
) async throws {
  try await withoutActuallyEscaping(body) { body in
    do {
      try await run({ _ in try await body() }, options, at: location, isolation: nil)
    } catch VirtualTimeError.bodyGivenUp {
      // The frames of a body that was given up hold references to it, for which this would trap.
      // But they never run again.
      if let context = context(of: body) {
        while cvt_retain_count(context) > 1 { Unmanaged<AnyObject>.fromOpaque(context).release() }
      }
      throw VirtualTimeError.bodyGivenUp
    }
  }
}

/// The object that holds what a closure has captured.
@_silgen_name("cvt_closure_context")
private func context(
  of closure: @Sendable @concurrent () async throws -> Void
) -> UnsafeMutableRawPointer?

private func run<Result>(
  _ body: @escaping (VirtualTime) async throws -> Result, _ options: VirtualTimeOptions,
  at location: SourceLocation, isolation: isolated (any Actor)?
) async throws -> Result {
  guard Scope.current == nil else { throw VirtualTimeError.nestedScope }
  _ = installed
  await Trial.run()
  try options.check()
  guard let scope = Scopes.begin(options) else { throw VirtualTimeError.tooManyScopes }
  let run = BodyRun(body, time: VirtualTime(scope))
  let end = await withTaskCancellationHandler {
    await withUnsafeContinuation { continuation in
      scope.whenFinished.withLock { $0 = { continuation.resume(returning: $0) } }
      let place = Place.first(on: isolation)
      _ = scope.state.withLock { $0.startDraining() }
      cvt_thread_set_birth(scope.number)
      let task = Task {
        scope.body.begin()
        await Scope.$inherited.withValue(scope.number) { await run(isolation: isolation) }
        scope.endBody()
      }
      cvt_thread_set_birth(0)
      scope.body.start(task)
      scope.begin(at: place)
    }
  } onCancel: {
    scope.body.cancel()
  }
  for problem in scope.problems.withLock({ $0 }) {
    location.reportIssue(problem.message, severity: problem.severity)
  }
  switch (run.result, end) {
  case (_, .givenUp), (nil, _): throw VirtualTimeError.bodyGivenUp
  case (.failure(is CancellationError), .completedAfterLimit): throw VirtualTimeError.limitReached
  case (let result?, _): return try result.get()
  }
}

/// Captures jobs, from the first scope on.
private let installed: Void = {
  Routing.connect()
  Platform.install()
  SettlingScope.find { Scope.current }
}()

/// The body and its result, on their way to the scope's task and back.
private final class BodyRun<Result>: @unchecked Sendable {
  // Sendable because the caller waits while the scope's task uses it, and the other way round; a
  // body that was given up never runs again inside the scope, and its result is not looked at.

  private let body: (VirtualTime) async throws -> Result
  private let time: VirtualTime
  private(set) var result: Swift.Result<Result, any Error>?

  init(_ body: @escaping (VirtualTime) async throws -> Result, time: VirtualTime) {
    self.body = body
    self.time = time
  }

  func callAsFunction(isolation: isolated (any Actor)?) async {
    do {
      result = .success(try await body(time))
    } catch {
      result = .failure(error)
    }
  }
}
