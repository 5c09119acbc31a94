import _EscapementCore

/// The failures that code of a scope has recorded.
final class RecordedFailures: Sendable {
  private struct Counts {
    var all = 0
    /// The failures after the scope had cancelled the body, which are not shown.
    var consequences = 0
  }

  private let counts = Lock(Counts())

  /// Whether there was one.
  var hasFailed: Bool { counts.withLock { $0.all > 0 } }

  /// The end of a message that says why the body was cancelled.
  var consequences: String {
    switch counts.withLock(\.consequences) {
    case 0: ""
    case 1: " A failure that it recorded afterwards is not shown."
    case let count: " \(count) failures that it recorded afterwards are not shown."
    }
  }

  /// A failure of code that the scope has cancelled follows from the problem, which is reported.
  func decide(_ failure: RunFailure, in scope: Scope) -> FailureVerdict {
    let isConsequence = scope.state.withLock { $0.life.isCutShort } && !failure.isReported
    if !failure.isWarning {
      counts.withLock { counts in
        counts.all += 1
        if isConsequence { counts.consequences += 1 }
      }
      // The recorder of a test learns of it from the test.
      if scope.options.recorder == nil {
        scope.recorder?.fails(TimelineFailure { failure.message })
      }
    }
    return isConsequence ? .drop : .pass
  }
}
