package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test in a release build.
  ///
  /// For tests of what the optimiser changes: which functions are called, and which actors are entered.
  package static var withoutOptimisation: Self {
    .enabled(if: isDebugBuild, "The optimiser changes what this test looks at.")
  }

  private static var isDebugBuild: Bool {
    var result = false
    // Not evaluated in a release build.
    assert(
      {
        result = true
        return true
      }())
    return result
  }
}
