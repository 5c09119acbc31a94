import IssueReporting
import _EscapementCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A test, or the body of a function, that is run under many schedules.
package struct ExploredTest: Sendable {
  /// An error of the run that is reported, and what is to be told of its schedule.
  package struct ReportedError: Error {
    package let underlying: any Error
    /// `nil` if it has been told with another failure.
    package let summary: String?
  }

  let name: String
  let options: VirtualTimeOptions
  let exploring: ExplorationOptions
  let reporter: ProblemReporter
  /// The file beside which the folder of known schedules is.
  let sourceFile: String
  let filter: any FailureFilter
  /// Runs the test in other processes; `nil` if there can be none.
  let replayer: (any CrashReplaying)?
  let perform: @Sendable (VirtualTimeOptions) async throws -> Void

  package init(
    name: String, options: VirtualTimeOptions, exploring: ExplorationOptions,
    reporting reporter: ProblemReporter, in sourceFile: String, filter: any FailureFilter,
    replayer: (any CrashReplaying)? = nil,
    perform: @escaping @Sendable (VirtualTimeOptions) async throws -> Void
  ) {
    self.name = name
    self.options = options
    self.exploring = exploring
    self.reporter = reporter
    self.sourceFile = sourceFile
    self.filter = filter
    self.replayer = replayer
    self.perform = perform
  }

  /// Explores, and returns what was found; reports nothing.
  ///
  /// - Throws: `CancellationError` if the caller is cancelled.
  package func explore(_ seedCount: Int) async throws -> ExplorationReport {
    try ExecutionOrder.check(seedCount)
    let variables = try ExplorationVariables.ofProcess.get()
    let search = Exploration(
      seedCount: seedCount, options: exploring, shard: exploring.shard ?? variables.shard,
      known: try FailingSchedules.known(of: name, beside: sourceFile),
      journals: (0..<exploring.concurrentRuns).compactMap { _ in
        ScheduleJournal(test: name, in: FailingSchedules.journals)
      },
      replayer: replayer, run: run)
    let report = try await search.search()
    if let failure = report.failure, let file = variables.failures {
      FailingSchedules.append(FailingSchedule(test: name, schedule: failure.schedule), to: file)
    }
    return report
  }

  /// Warns of a test that passes, and may not do the same in each run, or does the same in all.
  package func warn(of report: ExplorationReport) {
    // XCTest fails a test for a warning, and this one may be right.
    let others =
      filter.addsComments
      ? report.warningOfUnreached ?? report.warningOfMoreOrders ?? report.warningOfOneOrder : nil
    if let warning = report.warning ?? others { reporter.report(warning, severity: .warning) }
  }

  /// Runs once, and notes the failures.
  private func run(_ explored: ExploredRun) async {
    let options = options.following(explored)
    do {
      try await filter.run(
        isInRun: { explored.isCurrent },
        decide: { failure in
          if !failure.isWarning { explored.note(failure) }
          return .drop
        },
        { try await perform(options) })
    } catch VirtualTimeError.limitReached, VirtualTimeError.bodyGivenUp {
      // The scope has reported the reason as an issue.
    } catch {
      explored.note(RunFailure(error))
    }
  }

  /// Runs the smallest failing schedule once more, and lets its failures pass.
  package func replay(
    _ failure: ExplorationReport.Failure, of report: ExplorationReport
  ) async throws {
    let summary = failure.summary(of: report)
    if failure.isCrash || failure.isReported { return reporter.report(summary) }
    let hasFailed = Lock(false)
    let explored = ExploredRun(
      .schedule(failure.schedule), stallsAtOnce: !report.hasWorkOutside, jobLimit: report.jobLimit)
    let options = options.following(explored)
    do {
      try await filter.run(
        isInRun: { explored.isCurrent },
        decide: { failure in
          // A failure that has been reported already cannot be told together with the schedule.
          if failure.isWarning || failure.isReported { return .pass }
          return hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return hasFailed ? .pass : .comment(summary)
          }
        },
        { try await perform(options) })
    } catch {
      let isTold = filter.addsComments && hasFailed.withLock { $0 }
      throw ReportedError(underlying: error, summary: isTold ? nil : summary)
    }
    if !hasFailed.withLock({ $0 }) {
      reporter.report(
        """
        \(failure.messages.joined(separator: "\n"))

        This was found by exploring schedules, and did not happen when the schedule was replayed.
        \(summary)
        """)
    } else if !filter.addsComments {
      reporter.report(summary)
    }
  }
}

extension ExplorationVariables {
  /// Whether this process replays a crash, and tells each step before it is taken.
  static let tellsSteps = getenv("ESCAPEMENT_REPLAY").map { String(cString: $0) } == "steps"

  /// The variables of this process, read once.
  static let ofProcess = Result<ExplorationVariables, VirtualTimeError> {
    () throws(VirtualTimeError) in
    try ExplorationVariables { name in getenv(name).map { String(cString: $0) } }
  }
}
