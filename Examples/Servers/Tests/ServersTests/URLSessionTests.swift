import EscapementNetwork
import EscapementTesting
import Foundation
import Hummingbird
import NIOCore
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct URLSessionTests {
  @Test func `a session gets an answer after nine seconds, and gives up one that takes thirty`()
    async throws
  {
    for round in 1...SameLogTests.rounds {
      let log = Log<String>()
      try await withVirtualTime { time in
        let latencies = Log<Int>()
        try await withStreet(warehouse: {
          latencies.append(latencies.count == 0 ? 9 : 30)
          try await Task.sleep(for: .seconds(latencies.entries.last!))
          return "{}"
        }) { street in
          let configuration = URLSessionConfiguration.ephemeral
          configuration.timeoutIntervalForRequest = 10
          let session = URLSession(configuration: configuration)
          let url = URL(string: "http://127.0.0.1:\(street.warehouseAddress.port!)/stock")!
          let (data, _) = try await session.data(from: url)
          log.append("\(String(decoding: data, as: UTF8.self)) \(time.now.offset)")
          do {
            _ = try await session.data(from: url)
          } catch let error as URLError {
            log.append("\(error.code == .timedOut) \(time.now.offset)")
          }
          session.invalidateAndCancel()
        }
      }
      // Foundation takes a millisecond off its timeouts.
      try #require(log.entries == ["{} 9.0 seconds", "true 18.999 seconds"], "round \(round)")
    }
  }

  @Test(arguments: [false, true])
  func `the session of a host that crashes, or stands still at the end, leaves no file`(
    isPaused: Bool
  ) async {
    // In a process of its own: other tests have files, too.
    await #expect(processExitsWith: .success) { [isPaused] in
      func explore(_ runs: Int) async throws -> Int {
        let report = try await withExploration(runs) { _ in
          let street = try SimulatedStreet()
          street.warehouse.serve("stock") { "1" }
          street.shop.run {
            let url = URL(string: "http://warehouse:8080/stock")!
            while true { _ = try await URLSession.shared.data(from: url) }
          }
          for _ in 0..<3 {
            try await Task.sleep(for: .milliseconds(25))
            if isPaused { street.shop.pause() } else { street.shop.restart() }
          }
        }
        #expect(report.failure == nil, "\(report)")
        return countEntries(of: "/proc/self/fd")
      }
      let before = try await explore(10)
      let after = try await explore(2 * SameLogTests.rounds)
      #expect(after <= before + 10, "\(before) \(after)")
    }
  }
}
