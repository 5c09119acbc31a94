import ArgumentParser
import BenchmarkSupport
import EscapementVirtualTime

/// Counts the schedules until a race is found.
struct RacesBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "races",
    abstract: "Counts the schedules until each of ten races from the literature is found.")

  enum Strategy: String, CaseIterable, ExpressibleByArgument {
    case turns, pairs, uniform, random, probabilistic

    var strategy: ExplorationStrategy {
      switch self {
      case .turns: .byTurns
      case .pairs: .newPairsFirst
      case .uniform: .uniform
      case .random: .random
      case .probabilistic: .probabilistic(depth: 5)
      }
    }
  }

  @Option(help: "How many times each race is searched for, from seeds of its own.")
  var searches = 30

  @Option(help: "How many schedules a search tries at most.")
  var limit = 10_000

  @Option(help: "Only the races with this in their names.")
  var race = ""

  @Option(help: "How the schedules are drawn.")
  var strategy = Strategy.turns

  @Flag(help: "Shrink each failure, to learn the least number of overtakings.")
  var shrinks = false

  func run() async throws {
    var table = Table(header: ["race", "median", "searches that fail"])
    if shrinks { table = Table(header: ["race", "median", "searches that fail", "overtakings"]) }
    for race in Race.all where self.race.isEmpty || race.name.contains(self.race) {
      var found: [(schedules: Int, overtakings: Int)] = []
      for number in 0..<searches {
        let report = try await search(race, number)
        guard let failure = report.failure else { continue }
        found.append((report.schedulesTried, failure.schedule.overtakings.count))
      }
      found.sort { $0.schedules < $1.schedules }
      let isFoundByHalf = found.count > searches / 2
      var row = [
        race.name, isFoundByHalf ? found[searches / 2].schedules.grouped : "> \(limit.grouped)",
        "\(searches - found.count)",
      ]
      if shrinks { row.append(found.map(\.overtakings).min().map { "\($0)" } ?? "-") }
      table.append(row)
    }
    print(table.text)
  }

  private func search(_ race: Race, _ number: Int) async throws -> ExplorationReport {
    var options = VirtualTimeOptions(leftovers: .ignore)
    // Philosophers that all wait are found to be stuck in real time once in a search.
    options.stallLimit = .milliseconds(50)
    return try await withExploration(
      limit,
      ExplorationOptions(
        strategy: strategy.strategy, firstSeed: UInt64(number) * 1_000_003,
        shrinkLimit: shrinks ? 2_000 : 0),
      options: options
    ) { _ in try await race.run() }
  }
}
