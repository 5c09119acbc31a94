import _EscapementCore

// A double fails the test that made it. Swift Testing finds the current test in a task-local value,
// and XCTest in a variable of the process. Neither works on the thread of a delegate's queue or on
// a thread of Foundation. So each double takes a `DoubleOwner` when it is made. The owner is the
// scope of `withDoubles`, if there is one.
//
// A failure in a task that belongs to this scope is reported at once. Any other failure is kept,
// and reported in the task of the test when the body has ended. At the same time, the scope asks
// each double for expectations that were not met. A state machine decides this. Without a scope of
// `withDoubles`, every failure is reported at once, on the thread on which it happens.

/// A scope that owns the doubles created while its body runs.
final class DoublesScope: Sendable {
  @TaskLocal static var current: DoublesScope?

  private let outer = DoublesScope.current
  private let state = Lock(DoublesScopeStateMachine<DoubleFailure, DoubleOwner.Check>())

  /// Whether the caller runs in the body, or in a task that belongs to it.
  ///
  /// There the frameworks know the test, so that a failure can be reported at once. Scope and
  /// current test are both task-local.
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
