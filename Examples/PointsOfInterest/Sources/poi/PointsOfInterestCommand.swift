import ArgumentParser

@main
struct PointsOfInterestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "poi",
    abstract: "Features the open places around the San Jose convention center, nearest first.",
    discussion: """
      A place is featured for 10 seconds; every 15 minutes the app looks again what is open. \
      Opening hours are approximate.
      """,
    subcommands: [TimelapseCommand.self, RunCommand.self])
}
