import ArgumentParser
import PointsOfInterest

struct TimelapseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timelapse",
    abstract: "Runs the app for hours or days in virtual time and tells what it showed.",
    discussion: """
      The app waits and looks at the clock as ever; only no real time passes while it waits. \
      The same arguments give the same output, but for the real time and the ratio.
      """)

  @Option(help: "How many hours to simulate. (default: 24)")
  var hours: Int?

  @Option(help: "How many days of 24 hours to simulate.")
  var days: Int?

  @Option(
    help: "When it begins, in the local time of San Jose. (default: \(StartTime.default))",
    transform: StartTime.init)
  var start: StartTime = .default

  func validate() throws {
    _ = try length
  }

  func run() async throws {
    let length = try length
    let simulation = Simulation(
      start: start.date, hours: length.hours, loader: try BundledPlaceLoader())

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
