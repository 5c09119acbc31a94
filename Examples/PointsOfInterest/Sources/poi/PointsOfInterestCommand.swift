import ArgumentParser

@main
struct PointsOfInterestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "poi",
    abstract: "Features the open places around the San Jose convention center, nearest first.",
    discussion: """
      Each place is featured for 10 seconds. The app refreshes what is open every 15 minutes. \
      Opening hours are approximate.
      """,
    version: "0.1.0",
    subcommands: subcommands)

  private static var subcommands: [any ParsableCommand.Type] {
    #if Live
      [TimelapseCommand.self, RunCommand.self, ServeCommand.self]
    #else
      [TimelapseCommand.self, RunCommand.self]
    #endif
  }
}
