import ArgumentParser
import BenchmarkSupport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main struct NetworkBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "network",
    abstract: "Measures what a request of URLSession costs that is answered in the same process.")

  @Option(help: "How many requests are made, one after the other, over one session.")
  var requests = 1_000

  func run() async throws {
    var table = Table(header: ["", "us per request: median", "highest of 99 %"])
    table.append(try await row("FlyingFox's server", withFlyingFox))
    table.append(try await row("a mock server", withServer))
    print(table.text)
  }

  private func row(
    _ name: String, _ serve: (_ body: (URLSession, URL) async throws -> Void) async throws -> Void
  ) async throws -> [String] {
    var microseconds: [Double] = []
    try await serve { session, url in
      // The first one connects.
      _ = try await session.data(from: url)
      for request in 1...requests {
        let start = ContinuousClock.now
        _ = try await session.data(from: url)
        microseconds.append(start.duration(to: .now).microseconds)
        if request % 100 == 0 { Progress.show("\(name): \(request) of \(requests)") }
      }
    }
    Progress.show("")
    let high = microseconds.sorted()[requests * 99 / 100]
    return [name, microseconds.median.rounded(decimals: 0), high.rounded(decimals: 0)]
  }
}
