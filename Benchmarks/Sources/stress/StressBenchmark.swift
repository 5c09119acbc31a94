import ArgumentParser
import BenchmarkSupport

@main struct StressBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Counts wrong results in virtual time, under load; there must be none.")

  @Flag(help: "Count less often, in less than 30 seconds.")
  var quick = false

  @Option(help: "Count only queues, threads and event loops, in so many rounds.")
  var reach: Int?

  @Option(help: "Count only the scenarios whose names contain this text.")
  var scenario: String?

  func run() async throws {
    let wrong = if let reach { await runReach(reach) } else { try await runAll() }
    if wrong > 0 { throw ExitCode.failure }
  }

  private func runReach(_ rounds: Int) async -> Int {
    var wrong = 0
    for played in ReachScenario.all where scenario.map(played.name.contains) ?? true {
      wrong += await played.run(rounds: rounds)
    }
    return wrong
  }

  private func runAll() async throws -> Int {
    let runs = quick ? 10_000 : 100_000
    let sleeps = quick ? 100_000 : 1_000_000
    let scopes = quick ? 2_000 : 10_000
    var wrong = 0
    for way in ReadmeTest.Way.allCases { wrong += await ReadmeTest(way).run(times: runs) }
    for way in LongAdvance.Way.allCases { wrong += try await LongAdvance(way).run(sleeps: sleeps) }
    wrong += await Crowd(scopes: scopes).run()
    wrong += await SharedActorsCrowd(rounds: scopes).run()
    return await wrong + runReach(quick ? 100 : 5_000)
  }
}
