import EscapementVirtualTime
package import Testing

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the standard clocks and `Date()` are virtual inside a scope.
  ///
  /// For tests whose code sleeps or reads the time without an injected clock, and for those that check the
  /// order of main-actor jobs, which scopes capture on the same platforms. On Apple platforms, and with
  /// `ESCAPEMENT_PORTABLE=1`, they are skipped.
  package static var virtualStandardClocks: Self {
    .enabled(
      if: VirtualTime.virtualizesStandardClocks, "The standard clocks are real on this platform.")
  }
}
