#if canImport(Testing)
  public import Testing

  /// A trait that runs each test in a scope that owns its doubles.
  ///
  /// ```swift
  /// @Test(.doubles) func theListIsLoaded() async throws {
  ///   let service = MockPlaceService()
  ///   try await Model(service).load()
  /// }
  /// ```
  ///
  /// Every test, and every case of a parameterised test, has its own scope, as if its body were in
  /// ``withDoubles(isolation:_:)``. The trait can be combined with `.virtualTime`, in any order.
  public struct DoublesTrait: TestTrait, SuiteTrait, TestScoping {
    /// Always `true`: a suite passes the trait on to its tests.
    public var isRecursive: Bool { true }

    /// Runs a test case in a scope.
    ///
    /// If both a test and its suite have the trait, the scopes are nested.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      try await withDoubles { try await function() }
    }
  }

  extension Trait where Self == DoublesTrait {
    /// Makes the test, or each test of the suite, own the doubles that are created in it.
    public static var doubles: Self { DoublesTrait() }
  }
#endif
