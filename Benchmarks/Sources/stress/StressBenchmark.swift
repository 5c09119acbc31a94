import ArgumentParser
import BenchmarkSupport

@main struct StressBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Counts wrong results in virtual time, under load; there must be none.")

  @Flag(help: "Count less often, in less than 30 seconds.")
  var quick = false

  func run() async throws {
    let runs = quick ? 10_000 : 100_000
    let sleeps = quick ? 100_000 : 1_000_000
    let scopes = quick ? 2_000 : 10_000
    var wrong = 0
    for way in ReadmeTest.Way.allCases { wrong += await ReadmeTest(way).run(times: runs) }
    for way in LongAdvance.Way.allCases { wrong += try await LongAdvance(way).run(sleeps: sleeps) }
    wrong += await Crowd(scopes: scopes).run()
    wrong += await SharedActorsCrowd(rounds: scopes).run()
    for scenario in QueuesAndThreads.allCases { wrong += await scenario.run(rounds: scopes / 2) }
    if wrong > 0 { throw ExitCode.failure }
  }
}
