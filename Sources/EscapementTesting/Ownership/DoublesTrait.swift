#if canImport(Testing)
  public import Testing

  /// A trait that gives tests a scope which owns their doubles.
  ///
  /// ```swift
  /// @Test(.doubles) func theListIsLoaded() async throws {
  ///   let service = MockPlaceService()
  ///   try await Model(service).load()
  /// }
  /// ```
  ///
  /// Every test, and every case of a parameterised one, has a scope of its own, as if its body stood
  /// in ``withDoubles(isolation:_:)``. It goes together with the trait `.virtualTime`, in any order.
  public struct DoublesTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether the trait applies to the tests of the suite that has it: always.
    public var isRecursive: Bool { true }

    /// Runs a test case in a scope.
    ///
    /// In a test that has the trait twice, from its suite and of its own, the scopes are nested.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      try await withDoubles { try await function() }
    }
  }

  extension Trait where Self == DoublesTrait {
    /// Has the test, or each test of the suite, own the doubles which are made in it.
    public static var doubles: Self { DoublesTrait() }
  }
#endif
