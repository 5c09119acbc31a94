import ArgumentParser
import BenchmarkSupport
import Escapement
import EscapementClocks

/// A server in real time that gets three times the calls that it can answer.
@main struct OverloadBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overload",
    abstract: "Counts the answers in time of a server with too much to do.")

  @Option(help: "For how many seconds calls come.")
  var seconds = 10

  @Option(help: "How many times as many calls come as the server can answer.")
  var load = 3.0

  /// Callers do not wait for longer.
  private static let patience = Duration.milliseconds(500)

  func run() async throws {
    let capacity = try await Server(maximumDelay: nil).capacity()
    var table = Table(header: ["", "calls/s", "in time/s", "of capacity", "refused"])
    for (name, delay) in [
      ("takes all calls", nil), ("maximumDelay: 100 ms", .milliseconds(100)),
    ] as [(String, Duration?)] {
      Progress.show(name)
      let calls = Int(capacity * load) * seconds
      let (inTime, refused) = try await Server(maximumDelay: delay)
        .serve(calls, over: .seconds(seconds), patience: Self.patience)
      let rate = Double(inTime) / Double(seconds)
      table.append([
        name, (calls / seconds).grouped, Int(rate).grouped, percent(rate / capacity),
        percent(Double(refused) / Double(calls)),
      ])
    }
    Progress.show("")
    print("It can answer \(Int(capacity).grouped) calls in a second.")
    print(table.text)
    let loads = [1.5, 2, 3, 5, 10]
    var throttled = Table(
      header: ["percent of capacity, with a load of"] + loads.map { "x \($0)" })
    for (name, rule) in [
      ("send all calls", .always), ("AdaptiveThrottle(multiplier: 2)", .adaptive(multiplier: 2)),
      ("AdaptiveThrottle(multiplier: 1.1)", .adaptive(multiplier: 1.1)),
      ("the rule of failsafe-go", .failsafe),
    ] as [(String, ThrottlingModel.Rule)] {
      Progress.show(name)
      var row = [name]
      for load in loads {
        var runs: [Double] = []
        for _ in 0..<5 {
          var model = ThrottlingModel()
          runs.append(try await model.goodput(rule, load: load))
        }
        row.append("\(runs.sorted()[2].rounded(decimals: 1))")
      }
      throttled.append(row)
    }
    Progress.show("")
    print("\n" + throttled.text)
  }

  private func percent(_ share: Double) -> String { "\((share * 100).rounded(decimals: 1)) %" }
}

/// A server whose calls take 10 ms, 20 of them at a time.
private struct Server {
  private enum Outcome { case inTime, late, refused }

  private let limiter: ConcurrencyLimiter<ContinuousClock>

  init(maximumDelay: Duration?) throws {
    limiter = try ConcurrencyLimiter(.fixed(20), maximumDelay: maximumDelay)
  }

  private func answer() async throws {
    try await limiter.run { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// How many calls in a second it answers to callers that wait for their answers.
  func capacity() async throws -> Double {
    let end = ContinuousClock.now + .seconds(2)
    return try await withThrowingTaskGroup(of: Int.self) { callers in
      for _ in 0..<40 {
        callers.addTask {
          var answers = 0
          while ContinuousClock.now < end {
            try await answer()
            answers += 1
          }
          return answers
        }
      }
      return Double(try await callers.reduce(0, +)) / 2
    }
  }

  /// How many calls are answered in time, and how many are refused, if they come at even distances,
  /// whatever the server does.
  func serve(
    _ calls: Int, over duration: Duration, patience: Duration
  ) async -> (inTime: Int, refused: Int) {
    let start = ContinuousClock.now
    return await withTaskGroup(of: Outcome.self) { callers in
      for number in 0..<calls {
        let beginning = start + duration * number / calls
        if beginning > .now { try? await Task.sleep(until: beginning) }
        callers.addTask {
          guard (try? await answer()) != nil else { return .refused }
          return ContinuousClock.now - beginning <= patience ? .inTime : .late
        }
      }
      return await callers.reduce(into: (0, 0)) { counts, outcome in
        switch outcome {
        case .inTime: counts.0 += 1
        case .refused: counts.1 += 1
        case .late: break
        }
      }
    }
  }
}
