#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// While schedules are explored, jitter and loss are drawn.
  @Suite struct DrawnLinkTests {
    struct Late: Error {}
    struct WrongOrder: Error {}

    /// Two clients send at once; what the server gets.
    private static func order(_ links: LinkQuality) async throws -> [String] {
      let network = try SimulatedNetwork()
      network.links = links
      let server = network.host("server")
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      let log = Log<String>()
      for name in ["first", "second"] {
        network.host(name).run {
          let socket = try Socket.connect(to: "server", 8080)
          socket.send(name)
          #expect(try socket.receive() == "")
          log.append("\(name) has closed")
        }
      }
      try await server.perform {
        for _ in 0..<2 {
          let client = try #require(listener.accept())
          log.append(try client.receive())
          client.close()
        }
      }
      await log.wait(for: 4)
      return log.entries
    }

    private static func requireOrder(_ links: LinkQuality) async throws {
      let order = try await order(links)
      guard order.first == "first" else { throw WrongOrder() }
    }

    @Test func `a scope that explores nothing sees no jitter and no loss`() async throws {
      let links = LinkQuality(latency: .milliseconds(5), jitter: .seconds(1), loss: 1)
      try await withVirtualTime { _ in
        let start = ContinuousClock.now
        try await Self.requireOrder(links)
        #expect(ContinuousClock.now - start == .milliseconds(20))
      }
    }

    @Test(arguments: [LinkQuality(jitter: .milliseconds(7)), LinkQuality(loss: 0.3)])
    func `what a link draws is found, made small and replayed`(links: LinkQuality) async throws {
      let report = try await withExploration(300) { _ in try await Self.requireOrder(links) }
      let failure = try #require(report.failure)
      #expect(failure.messages == ["WrongOrder()"])
      #expect(failure.schedule.overtakings.count == 1, "\(failure)")
      #expect(report.firstDifference == nil)
      for _ in 0..<5 {
        await #expect(throws: WrongOrder.self) {
          try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
            try await Self.requireOrder(links)
          }
        }
      }
    }

    @Test func `a report tells what was drawn, between which hosts`() async throws {
      let report = try await withExploration(300) { _ in
        let network = try SimulatedNetwork()
        network.links = LinkQuality(latency: .milliseconds(5), loss: 0.1)
        network.host("server").run { try echo(port: 8080) }
        let times = try await network.host("client").perform {
          try elapsed { (_) throws -> Void in _ = try Socket.connect(to: "server", 8080) }
        }
        guard times == [.milliseconds(10)] else { throw Late() }
      }
      let failure = try #require(report.failure)
      #expect(failure.steps.count == 1)
      #expect(
        failure.steps == ["+0.0 seconds  a packet is lost, from client to server"]
          || failure.steps == ["+0.005 seconds  a packet is lost, from server to client"])
    }

    /// The orders of some runs with one seed.
    private static func orders(
      of seed: UInt64, _ links: LinkQuality, runs: Int
    ) async throws -> Set<[String]> {
      var orders: Set<[String]> = []
      for _ in 0..<runs {
        let log = try await withVirtualTime(order: .seed(seed)) { _ in try await order(links) }
        orders.insert(log)
      }
      return orders
    }

    @Test func `a seed gives one order`() async throws {
      let links = LinkQuality(latency: .milliseconds(5), jitter: .milliseconds(10), loss: 0.1)
      var orders: Set<[String]> = []
      for seed in UInt64(0)..<40 {
        let logs = try await Self.orders(of: seed, links, runs: 3)
        #expect(logs.count == 1, "seed \(seed): \(logs)")
        orders.formUnion(logs)
      }
      #expect(orders.count > 2)
    }

    /// Makes a process without closing files for it, and waits until it ends.
    private static func makeProcess() {
      var process = pid_t()
      let arguments = [strdup("sh"), strdup("-c"), strdup(":"), nil]
      defer { for argument in arguments { free(argument) } }
      #expect(posix_spawn(&process, "/bin/sh", nil, nil, arguments, nil) == 0)
      waitpid(process, nil, 0)
    }

    // Until a process runs its program, it has all files of this one: their ends would come late.
    @Test(.withoutThreadSanitizer)
    func `a seed gives one order while other threads make processes`() async throws {
      let end = Log<Bool>()
      Thread { while end.count == 0 { Self.makeProcess() } }.start()
      defer { end.append(true) }
      let links = LinkQuality(latency: .milliseconds(5), jitter: .milliseconds(10))
      for seed in UInt64(0)..<30 {
        let logs = try await Self.orders(of: seed, links, runs: 2)
        #expect(logs.count == 1, "seed \(seed): \(logs)")
      }
    }
  }
#endif
