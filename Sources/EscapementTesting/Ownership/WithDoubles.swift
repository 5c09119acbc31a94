/// Runs a body that owns the doubles which are made in it.
///
/// ```swift
/// try await withDoubles {
///   let service = MockPlaceService()
///   try await Model(service).load()
/// }
/// ```
///
/// Doubles work without it too. It adds two things, both when the body ends, in the task that called:
///
/// - Failures that came up on threads which know no test (queues of delegates, threads of Foundation,
///   detached tasks) fail this test. Without a scope Swift Testing cannot tell whose they are, and
///   XCTest takes them for those of whichever test runs at the moment.
/// - What doubles were promised and did not get, such as the call of a stub, fails the test at the
///   line where it was promised. When the body throws an error this is left out: the error says
///   more.
///
/// Doubles that are made inside a nested scope belong to that one. With Swift Testing, the trait
/// `.doubles` does the same for a test or a suite.
///
/// - Parameters:
///   - isolation: The caller's isolation; leave it out.
///   - body: The code to run, on the caller's isolation.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
public func withDoubles<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let scope = DoublesScope()
  do {
    let result = try await DoublesScope.$current.withValue(scope) { try await body() }
    scope.end(verifying: true)
    return result
  } catch {
    scope.end(verifying: false)
    throw error
  }
}

/// Runs a body that owns the doubles which are made in it.
///
/// The same for a body that does not suspend.
///
/// - Parameter body: The code to run.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
public func withDoubles<Result>(_ body: () throws -> Result) rethrows -> Result {
  let scope = DoublesScope()
  do {
    let result = try DoublesScope.$current.withValue(scope) { try body() }
    scope.end(verifying: true)
    return result
  } catch {
    scope.end(verifying: false)
    throw error
  }
}
