import ArgumentParser
import BenchmarkSupport
import Foundation

@main struct BlocksBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blocks",
    abstract: "Measures what the building blocks cost, in nanoseconds and allocations.",
    discussion: "Each figure stands beside that of the cheapest thing that could do the job.")

  @Flag(help: "Measure a tenth of the calls, once instead of three times.")
  var quick = false

  @Flag(help: "Print the figures as JSON.")
  var json = false

  // With these two, one measurement is made in this process.
  @Option(help: .hidden) var subject: Subject?
  @Option(help: .hidden) var scale = 1

  func run() async throws {
    if let subject {
      try printJSON(try await measure(subject))
    } else {
      let report = try measureAll()
      if json { try printJSON(report) } else { print(report.text) }
    }
  }

  private func measure(_ subject: Subject) async throws -> Measurement {
    switch subject {
    case .launchers, .loops:
      let ticks = quick ? 100_000 : 1_000_000
      return try await Launchers(count: scale, seconds: max(1, ticks / scale))
        .measure(subject, batches: 3)
    case .cancelledReservation, .replacedReservation, .replacedOfSeveral, .dictionary:
      return try await Reservations(count: scale).measure(subject, batches: 11)
    case .newKeys, .knownKeys, .eviction, .newEntries, .newTexts, .textArray:
      return try await KeyedLimiters(count: scale).measure(subject)
    case .deadline, .group, .sleepingGroup, .firstAction, .sleepingTask:
      return try await Tasks(calls: quick ? 1_000 : 10_000).measure(subject, batches: 11)
    case .breaker, .rateBreaker, .limiter, .vegasLimiter, .retry, .budget, .emptyBudget, .hedged,
      .fallback, .sharedQuota, .lease, .doneRun, .toldBreaker, .toldLimiter, .quota, .toldQuota,
      .keyedQuota, .toldKeyedQuota, .lockedCall:
      return try await Resilience(calls: quick ? 1_000 : 10_000).measure(subject, batches: 11)
    case .nightly, .nightlyUTC, .quarters, .calendar:
      return try await Schedules(calls: quick ? 1_000 : 10_000).measure(subject, batches: 11)
    default:
      return try await Threads(count: scale, callsEach: quick ? 100_000 : 1_000_000)
        .measure(subject, batches: 11)
    }
  }

  private func measureAll() throws -> Report {
    let rounds = quick ? 1 : 3
    var runs: [Series: [Measurement]] = [:]
    // Each round measures everything once, so that a slow minute of the machine does not hit all
    // measurements of one figure.
    for round in 1...rounds {
      for series in Series.all(quick: quick) {
        Progress.show("round \(round) of \(rounds): \(series.subject.rawValue), \(series.scale)")
        runs[series, default: []].append(try measureInFreshProcess(series))
      }
    }
    Progress.show("")
    return Report(quick: quick, measurements: runs.mapValues(Measurement.init(medianOf:)))
  }

  /// In a process of its own, which has no memory to use again.
  private func measureInFreshProcess(_ series: Series) throws -> Measurement {
    try FreshProcess.run(
      ["--subject", series.subject.rawValue, "--scale", "\(series.scale)"]
        + (quick ? ["--quick"] : []))
  }

  private func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
