import CVirtualTime
package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test under Thread Sanitizer.
  ///
  /// For tests of threads that lose the baton while they sleep, or that are asked where they are.
  package static var withoutThreadSanitizer: Self {
    .disabled(if: cvt_is_sanitized(), "Thread Sanitizer cannot follow this.")
  }
}
