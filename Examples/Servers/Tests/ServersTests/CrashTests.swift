import EscapementNetwork
import EscapementTesting
import Foundation
import GRPCCore
import Hummingbird
import NIOCore
import Servers
import Testing

/// Servers that crash, lose power and stand still in the middle of a request.
///
/// The customer is 40 ms away from the shop.
@Suite struct CrashTests {
  @Test func `a request of a shop that crashes is sent again, and the next shop answers`()
    async throws
  {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") {
        log.append("asked")
        try await Task.sleep(for: .seconds(1))
        log.append("answers")
        return "1"
      }
      try await street.customer.withHTTPClient { client in
        Task {
          try await Task.sleep(for: .milliseconds(500))
          street.shop.crash()
          try await Task.sleep(for: .seconds(5))
          street.shop.restart()
        }
        for _ in 0..<2 {
          do {
            let (answer, time) = try await client.ask("http://shop:8080/stock")
            log.append("\(answer) in \(time)")
          } catch {
            log.append("no answer")
            try await Task.sleep(for: .seconds(10))
          }
        }
      }
    }
    #expect(entries == ["asked", "no answer", "asked", "answers", "200 1 in 1.16 seconds"])
  }

  @Test func `a shop that loses power is found to be gone by the client's timeout alone`()
    async throws
  {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") { "1" }
      try await street.customer.withHTTPClient { client in
        log.append("\(try await client.ask("http://shop:8080/stock"))")
        street.shop.crash(losingPower: true)
        let start = ContinuousClock.now
        do {
          log.append("\(try await client.ask("http://shop:8080/stock"))")
        } catch {
          log.append("\(error) after \(ContinuousClock.now - start)")
        }
        street.shop.restart()
        log.append("\(try await client.ask("http://shop:8080/stock"))")
      }
    }
    let answer = #"("200 1", 0.16 seconds)"#
    #expect(entries == [answer, "HTTPClientError.deadlineExceeded after 60.0 seconds", answer])
  }

  @Test func `a shop that is paused answers when it goes on`() async throws {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") { "1" }
      try await street.customer.withHTTPClient { client in
        log.append("\(try await client.ask("http://shop:8080/stock"))")
        street.shop.pause()
        Task {
          try await Task.sleep(for: .seconds(20))
          street.shop.resume()
        }
        log.append("\(try await client.ask("http://shop:8080/stock"))")
      }
    }
    #expect(entries == [#"("200 1", 0.16 seconds)"#, #"("200 1", 20.04 seconds)"#])
  }

  @Test func `a call of gRPC fails when its server crashes, and the next server answers`()
    async throws
  {
    let entries = try await sameLog { street, log in
      try await street.withCourierInShop { client in
        func deliver(_ parcel: String) async throws {
          do {
            log.append(try await client.deliver(parcel, options: .defaults))
          } catch let error as RPCError {
            log.append("\(error.code)")
          }
        }
        try await deliver("tea")
        for _ in 0..<3 {
          street.shop.crash()
          try await deliver("milk")
          street.shop.restart()
          try await Task.sleep(for: .seconds(60))
          try await deliver("cake")
        }
      }
    }
    #expect(
      entries == ["tea", "unavailable", "cake", "unavailable", "cake", "unavailable", "cake"])
  }

  @Test func `a stream of gRPC comes to its end, wherever its server crashes`() async throws {
    let starts = Log<Void>()
    let report = try await withExploration(SameLogTests.rounds) { _ in
      let street = try SimulatedStreet()
      street.shop.run { starts.append(()) }
      try await street.withCourierInShop { client in
        async let faults: Void = street.network.disturb(
          [.crashes, .powerLosses], for: .seconds(60))
        var options = CallOptions.defaults
        // Nothing else tells that a machine has lost its power.
        options.timeout = .seconds(10)
        /// Whether the stream comes to its end.
        func track() async throws -> Bool {
          let messages = Log<String>()
          do {
            try await client.track("tea", options: options) { messages.append($0) }
            return messages.count == 3
          } catch is RPCError {
            return false
          }
        }
        for _ in 0..<20 {
          if try await !track() { try await Task.sleep(for: .seconds(1)) }
        }
        await faults
        try await Task.sleep(for: .seconds(120))
        // A connection that nobody has used since its server lost power is reset by the first call.
        var isWhole = false
        for _ in 0..<3 where !isWhole {
          isWhole = try await track()
          try await Task.sleep(for: .seconds(1))
        }
        #expect(isWhole)
      }
    }
    #expect(report.failure == nil, "\(report)")
    #expect(report.firstDifference == nil)
    // Each schedule begins once.
    #expect(starts.count > SameLogTests.rounds + 1, "nothing has crashed")
  }
}
