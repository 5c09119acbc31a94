import _EscapementCore

/// A scope that owns the doubles created while its body runs.
final class DoublesScope: Sendable {
  @TaskLocal static var current: DoublesScope?

  private let outer = DoublesScope.current
  private let state = Lock(DoublesScopeStateMachine<DoubleFailure, DoubleOwner.Check>())

  /// Whether the caller runs in the body, or in a task that belongs to it.
  ///
  /// There the frameworks know the test, so that a failure can be reported at once. Scope and current test
  /// are both task-local.
  var isCallers: Bool {
    var scope = DoublesScope.current
    while let candidate = scope, candidate !== self { scope = candidate.outer }
    return scope != nil
  }

  func keep(_ failure: DoubleFailure) -> Bool { state.withLock { $0.keep(failure) } }

  func add(_ check: @escaping DoubleOwner.Check) { _ = state.withLock { $0.add(check) } }

  /// Reports the failures that were kept, in the task that runs the test.
  func end(verifying: Bool) {
    state.withLock { $0.end(verifying: verifying) }
    while let step = state.withLock({ $0.next() }) {
      switch step {
      case .report(let failures): for failure in failures { failure.report() }
      case .verify(let checks): for check in checks { for failure in check() { failure.report() } }
      }
    }
  }
}
