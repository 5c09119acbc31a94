import AsyncHTTPClient
import EscapementNetwork
import EscapementTesting
import Hummingbird
import NIOCore
import NIOPosix
import Testing

/// The event loops of the process, which libraries use that are not given any.
@Suite(.virtualTime(.sharedEventLoops)) struct SharedEventLoopTests {
  @Test(arguments: 1...10)
  func `they follow the time of one test after the other`(hours: Int64) async throws {
    let time = try VirtualTime.required
    for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
      let start = time.now
      try await loop.scheduleTask(in: .hours(hours)) {}.futureResult.get()
      #expect(start.duration(to: time.now) == .seconds(hours * 3600))
    }
  }

  @Test(arguments: 1...5)
  func `servers and clients use them`(round: Int) async throws {
    let time = try VirtualTime.required
    try await withStreet(warehouse: { #"{"tea": 3}"# }, on: .singleton) { street in
      let answer = try await street.get("invoice")
      #expect(answer == "200 paid")
      #expect(time.now.offset == .seconds(20))
    }
  }
}

@Suite struct SharedEventLoopOrderTests {
  @Test func `they join each run in the same order`() async throws {
    // Loops that exist, and that a scope must call.
    _ = try await MultiThreadedEventLoopGroup.singleton.next().submit { 1 }.get()
    for _ in 0..<10 {
      let report = try await withExploration(10, options: .sharedEventLoops) { _ in
        async let one: Void = Task.sleep(for: .seconds(1))
        async let two: Void = Task.sleep(for: .seconds(1))
        _ = try await (one, two)
      }
      #expect(report.failure == nil, "\(report)")
      #expect(report.firstDifference == nil)
    }
  }
}

@Suite struct NewSharedEventLoopTests {
  @Test func `a host may be the first to use them`() async {
    // Each in a process of its own, since the loops of a process are made once.
    for _ in 0..<10 {
      await #expect(processExitsWith: .success) { try await askServerOnNewLoops() }
    }
  }
}

private func askServerOnNewLoops() async throws {
  try await withVirtualTime(.sharedEventLoops) { _ in
    let street = try SimulatedStreet()
    street.shop.run { try await runServer("stock", on: .singleton) { "1" } }
    try await Task.sleep(for: .seconds(1))
    try await street.customer.withHTTPClient { client in
      let answer = try await client.ask("http://shop:8080/stock").0
      #expect(answer == "200 1")
    }
  }
}

/// Hosts whose server runs on loops that live on when the host crashes.
@Suite struct SharedEventLoopCrashTests {
  enum Ending: String, CaseIterable, Codable {
    case nothing, pause, crash, powerLoss, restarts, atOnce
  }

  @Test(arguments: Ending.allCases)
  func `a host that crashes leaves them whole, and no file`(ending: Ending) async {
    // In a process of its own: other tests have files, too.
    await #expect(processExitsWith: .success) { [ending] in
      // The loops exist before the first scope.
      _ = try await MultiThreadedEventLoopGroup.singleton.next().submit { 1 }.get()
      // SwiftNIO gives out its loops in turn, so that the next run has another one first.
      for seed in 0..<8 as Range<UInt64> {
        try await exploreServerOnSharedLoops(ending, runs: 1, from: seed)
      }
      try await exploreServerOnSharedLoops(ending, runs: 10)
      let before = countEntries(of: "/proc/self/fd")
      try await exploreServerOnSharedLoops(ending, runs: 2 * SameLogTests.rounds)
      let after = countEntries(of: "/proc/self/fd")
      #expect(after <= before + 10, "\(before) \(after)")
      for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
        #expect(try await loop.submit { 1 }.get() == 1)
      }
    }
  }
}

/// Hosts with loops of their own, in scopes whose hosts may use those of others.
@Suite struct OwnEventLoopCrashTests {
  @Test func `a host that crashes closes what its own loops have`() async {
    // In a process of its own: other tests have files, too.
    await #expect(processExitsWith: .success) {
      _ = try await MultiThreadedEventLoopGroup.singleton.next().submit { 1 }.get()
      try await withVirtualTime(.sharedEventLoops) { _ in
        let street = try SimulatedStreet()
        street.shop.run { try await runServer("stock") { "1" } }
        try await street.customer.withHTTPClient { client in
          var counts: [Int] = []
          for _ in 0..<20 {
            try await Task.sleep(for: .seconds(1))
            #expect(try await client.ask("http://shop:8080/stock").0 == "200 1")
            street.shop.restart()
            counts.append(countEntries(of: "/proc/self/fd"))
          }
          #expect(counts[19] <= counts[1] + 4, "\(counts)")
        }
      }
    }
  }
}

private func exploreServerOnSharedLoops(
  _ ending: SharedEventLoopCrashTests.Ending, runs: Int, from seed: UInt64 = 0
) async throws {
  let report = try await withExploration(
    runs, .init(firstSeed: seed), options: .sharedEventLoops
  ) { _ in
    let street = try SimulatedStreet()
    let (shop, customer) = (street.shop, street.customer)
    shop.run {
      // Nobody closes this one.
      let loops = MultiThreadedEventLoopGroup.singleton
      _ = try await ServerBootstrap(group: loops).bind(host: "0.0.0.0", port: 9090).get()
      _ = try await DatagramBootstrap(group: loops)
        .channelOption(.datagramVectorReadMessageCount, value: 4)
        .bind(host: "0.0.0.0", port: 9090).get()
      try await runServer("stock", on: loops) { "1" }
    }
    // The loops have sockets of the first lives, and do not watch them yet.
    for _ in 0..<(ending == .atOnce ? 2 : 0) {
      await Task.yield()
      shop.restart()
    }
    try await Task.sleep(for: .seconds(1))
    try await customer.withHTTPClient { client in
      for _ in 0..<(ending == .restarts ? 5 : 1) {
        #expect(try await client.ask("http://shop:8080/stock").0 == "200 1")
        if ending == .pause { shop.pause() }
        if ending == .crash { shop.crash() }
        if ending == .powerLoss { shop.crash(losingPower: true) }
        if ending != .restarts { break }
        shop.restart()
        try await Task.sleep(for: .seconds(1))
      }
    }
  }
  #expect(report.failure == nil, "\(report)")
  #expect(report.firstDifference == nil)
}
