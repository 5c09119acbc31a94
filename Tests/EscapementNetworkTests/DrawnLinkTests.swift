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

    // MARK: Loss

    /// How long it takes to connect over a link of 5 ms that loses packets, and to get an answer
    /// then; `nil` if the client gives up.
    private static func times(
      _ seed: UInt64, loss: Double
    ) async throws -> (connecting: Duration, answering: Duration?) {
      try await withVirtualTime(order: .seed(seed)) { _ in
        let network = try SimulatedNetwork()
        network.links = LinkQuality(latency: .milliseconds(5), loss: loss)
        network.host("server").run { try echo(port: 8080) }
        return try await network.host("client").perform { () throws -> (Duration, Duration?) in
          let start = ContinuousClock.now
          guard let socket = try? Socket.connect(to: "server", 8080) else {
            #expect(errno == ETIMEDOUT)
            return (ContinuousClock.now - start, nil)
          }
          let middle = ContinuousClock.now
          socket.send("hello")
          #expect(try socket.receive() == "hello")
          return (middle - start, ContinuousClock.now - middle)
        }
      }
    }

    /// The times of a round trip of 10 ms on which packets are lost again and again.
    private static func times(firstWait: Duration) -> Set<Duration> {
      let waits = (0...8).map { firstWait * (1 << $0 - 1) }
      return Set(waits.flatMap { one in waits.map { one + $0 + .milliseconds(10) } })
    }

    @Test func `a lost packet comes 200 ms later, then 400 ms, and one that connects 1 s later`()
      async throws
    {
      var connecting: Set<Duration> = []
      var answering: Set<Duration> = []
      for seed in UInt64(0)..<150 {
        let times = try await Self.times(seed, loss: 0.5)
        connecting.insert(times.connecting)
        if let time = times.answering { answering.insert(time) }
      }
      #expect(connecting.isSuperset(of: [10, 1010, 2010, 3010, 7010].map { .milliseconds($0) }))
      #expect(answering.isSuperset(of: [10, 210, 410, 610, 1410].map { .milliseconds($0) }))
      #expect(connecting.isSubset(of: Self.times(firstWait: .seconds(1)).union([.seconds(127)])))
      #expect(answering.isSubset(of: Self.times(firstWait: .milliseconds(200))))
      // Six packets are lost, and the seventh is too late.
      #expect(connecting.allSatisfy { $0 <= .seconds(127) })
    }

    @Test func `a client whose packets are all lost gives up after 127 seconds`() async throws {
      let times = try await Self.times(1, loss: 1)
      #expect(times.connecting == .seconds(127))
      #expect(times.answering == nil)
    }

    // MARK: Jitter and short reads

    /// The texts that a server reads of what a client has sent at one instant, and when each comes.
    private static func reads(
      of text: String, over link: LinkQuality
    ) async throws -> (texts: [String], times: [Duration]) {
      let network = try SimulatedNetwork()
      let (server, client) = (network.host("server"), network.host("client"))
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      network.setLink(from: client, to: server, link)
      client.performNow { _ = socket.send(text) }
      return try await server.perform {
        let accepted = try #require(listener.accept())
        var texts: [String] = []
        let times = try elapsed { (mark) throws -> Void in
          while texts.joined() != text {
            texts.append(try accepted.receive())
            mark()
          }
        }
        return (texts, times.dropLast())
      }
    }

    private static func reads(
      _ order: ExecutionOrder, of text: String, over link: LinkQuality
    ) async throws -> (texts: [String], times: [Duration]) {
      try await withVirtualTime(order: order) { _ in try await reads(of: text, over: link) }
    }

    @Test(arguments: [
      (LinkQuality.Distribution.uniform, [0, 840, 1680, 2520, 3360, 4200, 5040, 5880]),
      (.exponential, [0, 378, 813, 1329, 1960, 2773, 3920, 5880]),
      (.pareto, [0, 120, 280, 504, 840, 1400, 2520, 5880]),
    ])
    func `jitter has the eight steps of its distribution`(
      distribution: LinkQuality.Distribution, steps: [Int]
    ) async throws {
      let link = LinkQuality(
        latency: .milliseconds(1), jitter: .microseconds(5880), distribution: distribution)
      var times: Set<Duration> = []
      for seed in UInt64(0)..<100 {
        times.formUnion(try await Self.reads(.seed(seed), of: "hello", over: link).times)
      }
      #expect(times == Set(steps.map { .microseconds(1000 + $0) }))
    }

    @Test func `a packet comes in two parts, a microsecond apart, if that is drawn`() async throws {
      let link = LinkQuality(latency: .milliseconds(1), shortReads: 1)
      var firsts: Set<String> = []
      for seed in UInt64(0)..<100 {
        let (texts, times) = try await Self.reads(.seed(seed), of: "12345678", over: link)
        #expect(times == [.milliseconds(1), .microseconds(1001)])
        firsts.insert(texts[0])
      }
      #expect(firsts == Set((1...7).map { String("12345678".prefix($0)) }))
      let plain = try await Self.reads(.plain, of: "12345678", over: link)
      #expect(plain.texts == ["12345678"])
      #expect(try await Self.reads(.seed(1), of: "1", over: link).texts == ["1"])
    }

    struct HalfRead: Error {}

    @Test func `code that takes a part for the whole is found`() async throws {
      let report = try await withExploration(100) { _ in
        let link = LinkQuality(shortReads: 0.1)
        let (texts, _) = try await Self.reads(of: "12345678", over: link)
        guard texts.first == "12345678" else { throw HalfRead() }
      }
      let failure = try #require(report.failure)
      let step = "+0.0 seconds  a packet comes in two parts, from client to server (1 of 7)"
      #expect(failure.steps == [step])
    }

    // MARK: Seeds

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
