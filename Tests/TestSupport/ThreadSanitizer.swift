import CVirtualTime
package import Testing

/// Whether Thread Sanitizer watches the process: threads cannot be asked where they are.
package var isUnderThreadSanitizer: Bool { cvt_is_sanitized() }

extension Trait where Self == ConditionTrait {
  /// Skips the test under Thread Sanitizer.
  ///
  /// For tests of threads that lose the baton while they sleep, or that are asked where they are.
  package static var withoutThreadSanitizer: Self {
    .disabled(if: isUnderThreadSanitizer, "Thread Sanitizer cannot follow this.")
  }
}
