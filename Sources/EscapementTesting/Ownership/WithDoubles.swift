/// Runs a body in a scope that owns the doubles created in it.
///
/// ```swift
/// try await withDoubles {
///   let service = MockPlaceService()
///   try await Model(service).load()
/// }
/// ```
///
/// Doubles also work without a scope. The scope adds two things when its body ends, in the calling
/// task:
///
/// - Some failures occur on threads that belong to no test: queues of delegates, threads of
///   Foundation, detached tasks. The scope makes them fail its own test. Without a scope Swift
///   Testing attributes such a failure to no test, and XCTest to the test that is running at that
///   moment.
/// - A double may expect calls, such as a stub that must be called. An expectation that is not met
///   fails the test at the line that created the double. If the body throws an error, the
///   expectations are not checked, because the error explains more.
///
/// A double that is created in a nested scope belongs to the nested scope. With Swift Testing, the
/// trait `.doubles` does the same for a test or a suite.
///
/// - Parameters:
///   - isolation: The caller's isolation; do not pass it.
///   - body: The code to run, on the caller's isolation.
/// - Returns: What the body returns.
/// - Throws: The error of the body.
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

/// Runs a body in a scope that owns the doubles created in it.
///
/// This is the variant for a body that does not suspend.
///
/// - Parameter body: The code to run.
/// - Returns: What the body returns.
/// - Throws: The error of the body.
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
