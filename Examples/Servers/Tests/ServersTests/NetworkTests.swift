import AsyncHTTPClient
import EscapementNetwork
import EscapementTesting
import Foundation
import GRPCCore
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Servers
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A warehouse, a shop that asks it and a customer, each on a host of its own.
///
/// The customer is 40 ms away from the shop, and the shop 5 ms from the warehouse.
@Suite struct NetworkTests {
  @Test func `a request takes as long as the links on its way`() async throws {
    let entries = try await sameLog { street, log in
      street.warehouse.serve("stock") { #"{"tea": 1}"# }
      street.serveShop()
      try await street.customer.withHTTPClient { client in
        for _ in 0..<3 {
          let (answer, time) = try await client.ask("http://shop:8080/stock")
          log.append("\(answer) in \(time)")
        }
      }
    }
    // The first one connects on both links.
    #expect(
      entries == ["200 1 in 0.18 seconds", "200 1 in 0.09 seconds", "200 1 in 0.09 seconds"])
  }

  @Test func `while the warehouse is cut off, the shop tries again`() async throws {
    let entries = try await sameLog { street, log in
      street.warehouse.serve("stock") { #"{"tea": 1}"# }
      street.serveShop()
      try await street.customer.withHTTPClient { client in
        log.append("\(try await client.ask("http://shop:8080/stock"))")
        street.network.cut(street.shop, street.warehouse)
        Task {
          try await Task.sleep(for: .seconds(15))
          street.network.heal(street.shop, street.warehouse)
        }
        // The first attempt is given up after 10 s. The second one connects 1 s later, when the link is still cut. It
        // takes two round trips to the warehouse after that is healed.
        log.append("\(try await client.ask("http://shop:8080/stock"))")
      }
    }
    #expect(entries == [#"("200 1", 0.18 seconds)"#, #"("200 1", 15.06 seconds)"#])
  }

  @Test func `a request whose connection is reset is sent again`() async throws {
    let entries = try await sameLog { street, log in
      let requests = Log<Int>()
      street.shop.serve("stock") {
        requests.append(requests.count)
        try await Task.sleep(for: .seconds(1))
        return "1"
      }
      try await street.customer.withHTTPClient { client in
        Task {
          try await Task.sleep(for: .milliseconds(500))
          street.network.resetConnections(between: street.customer, and: street.shop)
        }
        do {
          log.append("\(try await client.ask("http://shop:8080/stock"))")
        } catch let error as IOError {
          log.append("\(error.errnoCode == ECONNRESET)")
        }
        log.append("\(try await client.ask("http://shop:8080/stock"))")
      }
    }
    #expect(entries == ["true", #"("200 1", 1.16 seconds)"#])
  }

  @Test func `a URLSession asks by name, and gives up at its timeout`() async throws {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") { "1" }
      try await street.customer.perform {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3
        let session = URLSession(configuration: configuration)
        let url = URL(string: "http://shop:8080/stock")!
        for _ in 0..<2 {
          let start = ContinuousClock.now
          let (data, _) = try await session.data(from: url)
          log.append("\(String(decoding: data, as: UTF8.self)) in \(ContinuousClock.now - start)")
        }
        street.network.cut(street.customer, street.shop)
        let start = ContinuousClock.now
        do {
          _ = try await session.data(from: url)
        } catch let error as URLError {
          log.append("\(error.code == .timedOut) after \(ContinuousClock.now - start)")
        }
        session.invalidateAndCancel()
      }
    }
    // Foundation takes a millisecond off its timeouts.
    #expect(entries == ["1 in 0.16 seconds", "1 in 0.08 seconds", "true after 2.999 seconds"])
  }

  @Test func `a client goes where the name goes, once its connection is gone`() async throws {
    let entries = try await sameLog { street, log in
      street.network.nameServer.latency = .milliseconds(20)
      for host in [street.shop, street.warehouse] {
        host.serve("stock") { host.name }
      }
      street.network.setName("api", to: street.shop)
      try await street.customer.withHTTPClient { client in
        log.append("\(try await client.ask("http://api:8080/stock"))")
        street.network.setName("api", to: street.warehouse)
        log.append("\(try await client.ask("http://api:8080/stock"))")
        street.shop.crash()
        try await Task.sleep(for: .seconds(1))
        log.append("\(try await client.ask("http://api:8080/stock"))")
        street.network.nameServer.isDown = true
        street.warehouse.crash()
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        await #expect(throws: (any Error).self) { try await client.ask("http://api:8080/stock") }
        log.append("nobody in \(ContinuousClock.now - start)")
      }
    }
    #expect(
      entries == [
        #"("200 shop", 0.18 seconds)"#, #"("200 shop", 0.08 seconds)"#,
        #"("200 warehouse", 0.18 seconds)"#, "nobody in 10.0 seconds",
      ])
  }

  @Test func `gRPC resolves a host's name, and keeps its deadline while the host is cut off`()
    async throws
  {
    let entries = try await sameLog { street, log in
      try await street.withCourierInShop { client in
        func deliver(_ parcel: String, within timeout: Duration = .seconds(60)) async throws {
          let start = ContinuousClock.now
          var options = CallOptions.defaults
          options.timeout = timeout
          do {
            log.append(try await client.deliver(parcel, options: options))
          } catch let error as RPCError {
            log.append("\(error.code)")
          }
          log.append("\(ContinuousClock.now - start)")
        }
        try await deliver("tea")
        try await deliver("milk")
        street.network.cut(street.shop, street.customer)
        try await deliver("sugar", within: .seconds(2))
        street.network.heal(street.shop, street.customer)
        try await deliver("cake")
      }
    }
    #expect(
      entries.filter { !$0.hasSuffix("seconds") } == ["tea", "milk", "deadlineExceeded", "cake"])
    #expect(entries[3] == "0.08 seconds")
    #expect(entries[5] == "2.0 seconds")
  }
}
