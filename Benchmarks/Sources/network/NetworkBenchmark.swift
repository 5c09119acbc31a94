import ArgumentParser
import BenchmarkSupport
import Escapement
import EscapementMockHTTP
import EscapementMockServer
import EscapementVirtualTime
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main struct NetworkBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "network",
    abstract: "Measures what a stubbed request costs, in microseconds.",
    discussion: "Beside it stand a URLProtocol that answers with constants, and a loopback server.")

  @Flag(help: "Measure a tenth of the requests.")
  var quick = false

  @MainActor func run() async throws {
    var table = Table(header: ["", "us per request"])
    for (name, batch) in subjects {
      Progress.show(name)
      table.append([name, try await median(batch).rounded(decimals: 0)])
    }
    try await withLoopbackServer { url in
      Progress.show("loopback")
      let session = URLSession(configuration: .ephemeral)
      // One takes as long as hundreds of the others.
      let figure = try await median(requests: 25) { try await self.load(url, session, $0) }
      table.append(["FlyingFox on the loopback interface", figure.rounded(decimals: 0)])
    }
    try await withMockServer { server in
      Progress.show("mock server")
      server.stub(.get, "/", returns: .text("constant"))
      let session = URLSession(configuration: .ephemeral)
      let figure = try await median { try await self.load(server.url, session, $0) }
      table.append(["a mock server on the same interface", figure.rounded(decimals: 0)])
    }
    Progress.show("")
    print(table.text)
    print("\na retry over a flaky network, with 9 s of waiting, takes in virtual time:")
    print("\(try await median(requests: 100, retries).rounded(decimals: 0)) us with its scope")
  }

  private typealias Batch = @MainActor (_ requests: Int) async throws -> Duration

  private var subjects: [(String, Batch)] {
    let bare = URLSession(configuration: ConstantURLProtocol.configuration)
    let url = URL(string: "https://example.com/users/7")!
    let http = MockHTTP()
    http.stub(.get, "/users/:id", returns: .text("constant"))
    let parts = (0..<3).map { Data("part \($0)".utf8) }
    http.stub(.get, "/parts", returns: .chunks(parts))
    let session = http.makeSession()
    let crowd = MockHTTP()
    for number in 0..<999 {
      crowd.stub(.get, "/group\(number)/:id", returns: .text("constant"))
    }
    crowd.stub(.get, "/users/:id", returns: .text("constant"))
    let crowded = crowd.makeSession()
    return [
      ("URLProtocol with constants", { try await self.load(url, bare, $0) }),
      ("MockHTTP", { try await self.load(url, session, $0) }),
      ("MockHTTP, among 1,000 stubs", { try await self.load(url, crowded, $0) }),
      (
        "MockHTTP, body in three parts",
        { try await self.load(URL(string: "https://example.com/parts")!, session, $0) }
      ),
      (
        "MockHTTP in virtual time",
        { count in
          let start = ContinuousClock.now
          try await withVirtualTime { _ in _ = try await self.load(url, session, count) }
          return start.duration(to: .now)
        }
      ),
      (
        "MockHTTP, a new session each time",
        { count in
          let start = ContinuousClock.now
          for _ in 0..<count { _ = try await self.load(url, http.makeSession(), 1) }
          return start.duration(to: .now)
        }
      ),
    ]
  }

  /// The microseconds of one request, as the median of batches.
  private func median(requests: Int? = nil, _ batch: Batch) async throws -> Double {
    let requests = requests ?? (quick ? 200 : 2_000)
    _ = try await batch(requests)
    var figures: [Double] = []
    for _ in 0..<11 { figures.append(try await batch(requests).microseconds / Double(requests)) }
    return figures.median
  }

  private func load(_ url: URL, _ session: URLSession, _ count: Int) async throws -> Duration {
    let start = ContinuousClock.now
    for _ in 0..<count { _ = try await session.data(from: url) }
    return start.duration(to: .now)
  }

  private func retries(_ count: Int) async throws -> Duration {
    let start = ContinuousClock.now
    for _ in 0..<count {
      try await withVirtualTime { time in
        let http = MockHTTP()
        http.stub(.get, "/", returns: .failing(URLError(.networkConnectionLost))).times(2)
          .then(.status(503).delayed(by: .seconds(2))).once().then(.text("Sunny"))
        let session = http.makeSession()
        try await retry(
          maximumAttempts: 5, backoff: .exponential(base: .seconds(1), cap: .seconds(60))
        ) {
          let (_, response) = try await session.data(from: URL(string: "https://example.com/")!)
          guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.unknown) }
        }
        precondition(time.now.offset == .seconds(9))
      }
    }
    return start.duration(to: .now)
  }
}
