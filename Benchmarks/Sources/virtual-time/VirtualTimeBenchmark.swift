import ArgumentParser
import BenchmarkSupport
import Foundation

@main struct VirtualTimeBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "virtual-time",
    abstract: "Measures what a sleep costs in virtual time, in nanoseconds and bytes.")

  @Flag(help: "Measure a tenth of the sleeps, three times instead of five.")
  var quick = false

  @Flag(help: "Print the figures as JSON.")
  var json = false

  @Flag(help: "Measure scopes only, and no sleeps.")
  var scopes = false

  // With one of these, a measurement is made in this process.
  @Option(help: .hidden) var scopesInSequence: Int?
  @Option(help: .hidden) var subject: Subject?
  @Option(help: .hidden) var tasks = 1
  @Option(help: .hidden) var sleeps = 1

  func run() async throws {
    if let subject {
      let measurement = try await Measurement(of: subject, in: Shape(tasks: tasks, sleeps: sleeps))
      try printJSON(measurement)
    } else if let scopesInSequence {
      try printJSON(try await ScopesInSequence(count: scopesInSequence))
    } else if scopes {
      print(try await measureScopes().text)
      print(try measureScopesInSequence().text)
    } else {
      let report = try await measureAll()
      if json { try printJSON(report) } else { print(report.text) }
    }
  }

  private func measureAll() async throws -> Report {
    let repetitions = quick ? 3 : 5
    var runs: [Series: [Measurement]] = [:]
    // Each round measures everything once, so that a slow minute of the machine does not hit all
    // repetitions of one figure.
    for round in 1...repetitions {
      for series in Series.all(quick: quick) {
        Progress.show("round \(round) of \(repetitions): \(series)")
        runs[series, default: []].append(try series.measureInFreshProcess())
      }
    }
    Progress.show("")
    return Report(
      repetitions: repetitions,
      rows: Series.all(quick: quick).map { Report.Row($0, medianOf: runs[$0] ?? []) },
      scopes: try await measureScopes(), scopesInSequence: try measureScopesInSequence())
  }

  private func measureScopes() async throws -> ScopeReport {
    try await .measure(rounds: quick ? 3 : 5, scopes: quick ? 500 : 2_000)
  }

  private func measureScopesInSequence() throws -> ScopesInSequence {
    try .measureInFreshProcess(count: quick ? 10_000 : 100_000)
  }

  private func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}

/// One subject in one shape.
struct Series: Hashable, CustomStringConvertible {
  let shape: Shape
  let subject: Subject

  var description: String { "\(shape), \(subject.rawValue)" }

  static func all(quick: Bool) -> [Series] {
    (quick ? Shape.quick : Shape.all).flatMap { shape in
      Subject.allCases.map { Series(shape: shape, subject: $0) }
    }
  }

  /// Measures in a process of its own, which has no memory to use again.
  func measureInFreshProcess() throws -> Measurement {
    try FreshProcess.run([
      "--subject", subject.rawValue, "--tasks", "\(shape.tasks)", "--sleeps", "\(shape.sleeps)",
    ])
  }
}
