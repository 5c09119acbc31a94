/// Runs a test in a process of its own, which a schedule may kill.
package protocol CrashReplaying: Sendable {
  /// Returns the output of the process; `nil` if the schedule does not kill it.
  ///
  /// - Parameter tellsSteps: Whether the process tells the steps of the schedule.
  func crash(under schedule: ExecutionSchedule, tellsSteps: Bool) async -> ReplayedCrash?
}

/// The output of a process that a schedule has killed.
package struct ReplayedCrash: Sendable, Equatable {
  /// How a line begins that tells a step.
  static let beginningOfStep = "Escapement step: "
  /// How many lines of the message are shown.
  private static let shownLines = 5

  /// The last lines on standard error, such as `Cache.swift:7: Fatal error: no entry`.
  package let message: String
  package let steps: [String]

  /// - Parameters:
  ///   - output: The text on standard error.
  ///   - signal: The name of the signal that has killed the process.
  package init(output: String, signal: String) {
    let lines = output.split(whereSeparator: \.isNewline)
    steps = lines.filter { $0.hasPrefix(Self.beginningOfStep) }
      .map { String($0.dropFirst(Self.beginningOfStep.count)) }
    // Swift Testing has written that the test starts.
    let printed = lines.filter { !$0.hasPrefix(Self.beginningOfStep) }
      .prefix { $0 != "Current stack trace:" }
      .reversed().prefix { !"◇✔✘↳".contains($0.first!) }
    message =
      printed.isEmpty
      ? "Signal: \(signal)" : printed.prefix(Self.shownLines).reversed().joined(separator: "\n")
  }
}
