import ArgumentParser
import PointsOfInterest

struct TimelapseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timelapse",
    abstract: "Runs the app for hours or days in virtual time, and summarizes what it showed.",
    discussion: """
      The app waits and reads the clock as usual, but its waiting takes no real time. The same \
      arguments give the same output, except for the real time and the ratio.
      """)

  // Parsed unconditionally, so that a negative number is a value and not an unknown option.
  @Option(parsing: .unconditional, help: "The number of hours to simulate. (default: 24)")
  var hours: Int?

  @Option(parsing: .unconditional, help: "The number of days to simulate, of 24 hours each.")
  var days: Int?

  @Option(
    help: "The start, in the local time of San Jose. (default: \(StartTime.default))",
    transform: StartTime.init)
  var start: StartTime = .default

  @Option(help: "Draw outages of the server from this seed.")
  var outages: UInt64?

  @Option(
    help: """
      A file for the timeline: a page for a browser (.html), text (.txt), or a trace for Perfetto \
      (.json).
      """)
  var trace: String?

  func validate() throws {
    _ = try length
  }

  func run() async throws {
    let length = try length
    let simulation = Simulation(
      start: start.date, hours: length.hours, loader: try BundledPlaceLoader(),
      outages: outages.map { Outages(after: start.date, seed: $0) }, trace: trace)

    var progressBar = ProgressBar()
    let showsProgress = Console.isTerminal
    let realStart = ContinuousClock.now
    let log = try await simulation.run { fraction in
      if showsProgress, let update = progressBar.update(to: fraction) {
        Console.writeError(update)
      }
    }
    let realTime = ContinuousClock.now - realStart
    if showsProgress { Console.writeError(ProgressBar.erasure) }

    let report = TimelapseReport(start: start, length: length, log: log, realTime: realTime)
    Console.write(report.text)
  }

  private var length: SimulationLength {
    get throws { try SimulationLength(hours: hours, days: days) }
  }
}
