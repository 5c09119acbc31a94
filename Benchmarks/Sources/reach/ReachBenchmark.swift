import ArgumentParser
import BenchmarkSupport
import CReal
import EscapementVirtualTime

@main struct ReachBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reach",
    abstract:
      "Measures queues, threads and event loops in virtual time, and overrides outside of scopes.")

  @Option(help: "How many blocks are measured at a time.")
  var blocks = 20_000

  @Option(help: "How many events of event loops, and waits of threads, are measured at a time.")
  var events = 5_000

  @Option(help: "How many calls of a function are measured at a time.")
  var calls = 2_000_000

  func run() async throws {
    // The first scope also tries the overrides.
    try await withVirtualTime { _ in }
    guard VirtualTime.virtualizesQueuesAndThreads else {
      throw ValidationError("Queues are real on this platform.")
    }
    var table = Table(header: ["us per block", "in a scope", "real"])
    for workload in BlockWorkload.allCases {
      var (inScope, real): ([Double], [Double]) = ([], [])
      for _ in 0..<5 {
        inScope.append(try await workload.microseconds(blocks))
        if let time = try await workload.realMicroseconds(blocks) { real.append(time) }
      }
      table.append([
        workload.rawValue, inScope.median.rounded(decimals: 2),
        real.isEmpty ? "-" : real.median.rounded(decimals: 2),
      ])
    }
    print(table.text, terminator: "\n\n")

    table = Table(header: ["us with event loops", "in a scope", "real"])
    for workload in LoopWorkload.allCases {
      var (inScope, real): ([Double], [Double]) = ([], [])
      for _ in 0..<5 {
        inScope.append(try await workload.microseconds(events))
        if let time = try await workload.realMicroseconds(events) { real.append(time) }
      }
      table.append([
        workload.rawValue, inScope.median.rounded(decimals: 1),
        real.isEmpty ? "-" : real.median.rounded(decimals: 1),
      ])
    }
    print(table.text, terminator: "\n\n")

    table = Table(header: ["us per wait", "in a scope", "real"])
    for workload in WaitWorkload.allCases {
      var (inScope, real): ([Double], [Double]) = ([], [])
      for _ in 0..<5 {
        inScope.append(try await workload.microseconds(events))
        real.append(await workload.realMicroseconds(events))
      }
      table.append([
        workload.rawValue, inScope.median.rounded(decimals: 1), real.median.rounded(decimals: 1),
      ])
    }
    print(table.text, terminator: "\n\n")

    table = Table(header: ["ns per pair outside of scopes", "overridden", "the library's", "more"])
    for pair in 0..<real_pairs() {
      var (overridden, real): ([Double], [Double]) = ([], [])
      for _ in 0..<9 {
        overridden.append(nanoseconds(pair, isBehind: false))
        real.append(nanoseconds(pair, isBehind: true))
      }
      let (mine, theirs) = (overridden.median, real.median)
      table.append(
        [String(cString: real_name(pair))]
          + [mine, theirs, mine - theirs].map { $0.rounded(decimals: 1) })
    }
    print(table.text)
  }

  private func nanoseconds(_ pair: Int32, isBehind: Bool) -> Double {
    let start = ContinuousClock.now
    real_call(pair, isBehind, Int64(calls))
    return start.duration(to: .now).nanoseconds / Double(calls)
  }
}
