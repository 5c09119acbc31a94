#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// While schedules are explored, faults are drawn.
  @Suite struct NetworkFaultsTests {
    struct BookedTwice: Error {}

    /// Takes orders, and confirms each.
    private static func shop(_ booked: Log<String>) throws {
      let listener = try Socket.listen(port: 80)
      Thread.detachNewThread {
        defer { listener.close() }
        while let customer = listener.accept() {
          Thread.detachNewThread {
            if let order = try? customer.receive(), !order.isEmpty {
              booked.append(order)
              rest(milliseconds: 500)
              customer.send("booked")
            }
            customer.close()
          }
        }
      }
    }

    /// Orders again until the order is confirmed: after a reset, and after a second without an
    /// answer.
    private static func order() throws {
      while true {
        guard let socket = try? Socket.connect(to: "shop", 80) else { continue }
        defer { socket.close() }
        socket.send("order")
        guard socket.awaitInput(milliseconds: 1000) else { continue }
        if (try? socket.receive()) == "booked" { return }
      }
    }

    /// Returns what the shop has booked.
    private static func run(_ faults: NetworkFaults) async throws -> [String] {
      let network = try SimulatedNetwork()
      network.links.latency = .milliseconds(5)
      let booked = Log<String>()
      network.host("shop").run { try shop(booked) }
      async let disturbance: Void = network.disturb(faults, for: .seconds(8))
      for _ in 0..<4 {
        try await network.host("customer").perform { try order() }
        try await Task.sleep(for: .seconds(1))
      }
      await disturbance
      return booked.entries
    }

    private static func requireOrdersOnce(_ faults: NetworkFaults) async throws {
      guard try await run(faults).count == 4 else { throw BookedTwice() }
    }

    @Test func `a scope that explores nothing has no faults`() async throws {
      try await withVirtualTime { _ in
        let start = ContinuousClock.now
        try await Self.requireOrdersOnce(.all)
        #expect(ContinuousClock.now - start == .seconds(8))
      }
    }

    @Test(arguments: [
      (NetworkFaults.cuts, " are cut off"), (.oneWayCuts, "nothing arrives from "),
      (.resets, "the connections between "), (.pauses, "shop is paused"),
      (.partitions, "shop is cut off from all others"),
    ])
    func `a fault is found, made small, named and replayed`(
      faults: NetworkFaults, name: String
    ) async throws {
      try await Self.requireSmallFailure(faults, name)
    }

    // Under Thread Sanitizer, the threads of a host that has crashed stay.
    @Test(
      .withoutThreadSanitizer,
      arguments: [(NetworkFaults.crashes, "shop crashes"), (.powerLosses, "shop loses power")])
    func `a crash is found, made small, named and replayed`(
      faults: NetworkFaults, name: String
    ) async throws {
      try await Self.requireSmallFailure(faults, name)
    }

    private static func requireSmallFailure(_ faults: NetworkFaults, _ name: String) async throws {
      let report = try await withExploration(300) { _ in try await requireOrdersOnce(faults) }
      let failure = try #require(report.failure)
      #expect(failure.messages == ["BookedTwice()"])
      #expect((1...2).contains(failure.steps.count), "\(failure)")
      #expect(failure.steps.count == failure.schedule.overtakings.count)
      #expect(failure.steps.contains { $0.contains(name) }, "\(failure)")
      #expect(report.firstDifference == nil)
      await #expect(throws: BookedTwice.self) {
        try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
          try await requireOrdersOnce(faults)
        }
      }
    }

    struct TimeWentBack: Error {}

    @Test(arguments: [NetworkFaults.clocksAhead, .clocksBehind])
    func `code that cannot bear a clock that goes back is found`(faults: NetworkFaults) async throws
    {
      let report = try await withExploration(300) { _ in
        let network = try SimulatedNetwork()
        let wentBack = Log<Date>()
        network.host("shop").run {
          var last = Date()
          while true {
            try await Task.sleep(for: .seconds(1))
            if Date() < last { wentBack.append(last) }
            last = Date()
          }
        }
        await network.disturb(faults, for: .seconds(60))
        try await Task.sleep(for: .seconds(2))
        if !wentBack.entries.isEmpty { throw TimeWentBack() }
      }
      let failure = try #require(report.failure)
      #expect(failure.messages == ["TimeWentBack()"])
      #expect(failure.steps.count == 1)
      #expect(failure.steps.allSatisfy { $0.contains("the clock of shop is ") }, "\(failure)")
    }

    @Test func `code that cannot bear a name that fails is found`() async throws {
      let report = try await withExploration(300) { _ in
        let (network, server, client) = try makeTwoHosts()
        server.run { try echo(port: 80) }
        async let disturbance: Void = network.disturb(.nameFailures, for: .seconds(60))
        try await client.perform {
          for _ in 0..<12 {
            try Socket.connect(to: "server", 80).close()
            rest(milliseconds: 5000)
          }
        }
        await disturbance
        #expect(!network.nameServer.isDown)
      }
      let failure = try #require(report.failure)
      #expect(failure.messages == ["\(Errno(EHOSTUNREACH))"])
      #expect(failure.steps.count == 1)
      #expect(failure.steps.allSatisfy { $0.contains("the name server does not answer") })
    }

    @Test func `all links are whole at the end, and when the caller is cancelled`() async throws {
      for limit in [Duration.seconds(8), .seconds(3)] {
        let report = try await withExploration(100) { _ in
          let network = try SimulatedNetwork()
          let hosts = ["a", "b", "c"].map { network.host($0) }
          let disturbance = Task { await network.disturb([.cuts, .oneWayCuts], for: .seconds(8)) }
          try await Task.sleep(for: limit)
          disturbance.cancel()
          await disturbance.value
          let isCut = hosts.contains { one in hosts.contains { network.isCut(from: one, to: $0) } }
          #expect(!isCut)
        }
        #expect(report.failure == nil, "\(report)")
        #expect(report.distinctTraces > 50)
      }
    }

    @Test func `runs differ in the kinds that they have`() async throws {
      var kinds: Set<[Bool]> = []
      for seed in UInt64(0)..<40 {
        let seen = try await withVirtualTime(order: .seed(seed)) { _ in
          let network = try SimulatedNetwork()
          let (one, other) = (network.host("one"), network.host("other"))
          async let disturbance: Void = network.disturb([.cuts, .oneWayCuts], for: .seconds(256))
          var seen = [false, false]
          for _ in 0..<256 {
            try await Task.sleep(for: .seconds(1))
            let cuts = [network.isCut(from: one, to: other), network.isCut(from: other, to: one)]
            if cuts == [true, true] { seen[0] = true }
            if cuts[0] != cuts[1] { seen[1] = true }
          }
          await disturbance
          return seen
        }
        kinds.insert(seen)
      }
      #expect(kinds.isSuperset(of: [[false, false], [true, false], [false, true]]))
    }

    @Test func `a network without two hosts lets time pass`() async throws {
      let report = try await withExploration(10) { _ in
        let network = try SimulatedNetwork()
        _ = network.host("alone")
        let start = ContinuousClock.now
        await network.disturb(for: .seconds(10))
        #expect(ContinuousClock.now - start == .seconds(10))
      }
      #expect(report.failure == nil, "\(report)")
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a time that cannot be is reported`(duration: Duration) async throws {
      let reported = try await issues {
        try await withVirtualTime { _ in try await SimulatedNetwork().disturb(for: duration) }
      }
      #expect(reported.count == 1)
      #expect(reported.first?.message.contains("\(duration)") == true)
    }

    @Test func `a network lists its hosts in the order in which they were made`() async throws {
      try await withVirtualTime { _ in
        let network = try SimulatedNetwork()
        #expect(network.hosts.isEmpty)
        let hosts = ["b", "a"].map { network.host($0) }
        #expect(network.hosts == hosts)
      }
    }
  }
#endif
