import ArgumentParser
import BenchmarkSupport
import EscapementClocks

@main struct OutsideAScope: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outside-a-scope",
    abstract: "Counts wrong advances outside a scope, beside swift-clocks' algorithm.")

  @Option(help: "How often the README test of swift-clocks runs.")
  var runs = 1_000

  @Option(help: "How many tasks keep the pool busy meanwhile.")
  var busyTasks = 8

  @MainActor func run() async throws {
    var table = Table(header: ["", "wrong", "of", "us per run"])
    table.append(
      await row("Escapement") {
        let clock = TestClock()
        return await TimerModel(clock: clock).complaints { await clock.advance(by: $0) }
      })
    table.append(
      await row("20 x yield") {
        let clock = MegaYieldClock()
        return await TimerModel(clock: clock).complaints { await clock.advance(by: $0) }
      })
    print(table.text)
  }

  @MainActor private func row(
    _ name: String, _ complaints: @MainActor () async -> [String]
  ) async -> [String] {
    await withBusyTasks(busyTasks) {
      var wrong = 0
      let start = ContinuousClock.now
      for run in 1...runs {
        if !(await complaints()).isEmpty { wrong += 1 }
        Progress.show("\(name): \(run.grouped) of \(runs.grouped)")
      }
      Progress.show("")
      let microseconds = start.duration(to: .now).microseconds / Double(runs)
      return [name, wrong.grouped, runs.grouped, microseconds.rounded(decimals: 0)]
    }
  }
}
