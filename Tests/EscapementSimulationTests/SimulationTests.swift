import EscapementSimulation
import EscapementTesting
import EscapementVirtualTime
import TestSupport
import Testing

/// A store that forgets its oldest element when it is full.
private actor Cache {
  struct WasFull: Error {}
  private(set) var elements: [Int] = []

  func add(_ element: Int) throws {
    if Simulation.chance(0.2, "the disk is full") { throw WasFull() }
    elements.append(element)
    Simulation.sometimes(elements.count > 2, "the cache was full")
  }
}

@Suite struct SimulationTests {
  @Test func `outside of explored schedules nothing happens by chance`() async throws {
    for _ in 0..<100 { #expect(!Simulation.chance(1)) }
    try await withVirtualTime { time in
      for _ in 0..<100 { #expect(!Simulation.chance(1)) }
      await time.hold { #expect(!Simulation.chance(1)) }
    }
    try await withVirtualTime(order: .schedule("5")) { _ in #expect(!Simulation.chance(1)) }
  }

  @Test func `the probability says how often something happens`() async throws {
    let counts = Log<Bool>()
    for seed in UInt64(0)..<100 {
      try await withVirtualTime(order: .seed(seed)) { time in
        #expect(Simulation.chance(1))
        #expect(Simulation.chance(7))
        #expect(!Simulation.chance(0))
        #expect(!Simulation.chance(.nan))
        await time.hold { #expect(!Simulation.chance(1)) }
        for _ in 0..<10 { counts.append(Simulation.chance(0.2)) }
      }
    }
    #expect((120..<280).contains(counts.entries.count { $0 }))
  }

  @Test func `what happens by chance is found, named, and replayed`() async throws {
    let report = try await withExploration(100) { _ in
      let cache = Cache()
      for element in 0..<3 { try await cache.add(element) }
    }
    let failure = try #require(report.failure)
    #expect(failure.messages == ["WasFull()"])
    #expect(failure.schedule.overtakings.count == 1)
    #expect(failure.steps.count == 1)
    #expect(failure.steps.first?.contains("the disk is full (EscapementSimulationTests/") == true)
    for _ in 0..<3 {
      await #expect(throws: Cache.WasFull.self) {
        try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
          let cache = Cache()
          for element in 0..<3 { try await cache.add(element) }
        }
      }
    }
  }

  @Test(arguments: [(2, true), (3, false)])
  func `a situation that no schedule reaches is listed`(count: Int, isListed: Bool) async throws {
    let report = try await withExploration(20) { _ in
      let cache = Cache()
      for element in 0..<count { try? await cache.add(element) }
    }
    #expect(report.failure == nil)
    #expect(report.unreached.count == (isListed ? 1 : 0))
    #expect(report.unreached.allSatisfy { $0.hasPrefix("the cache was full (EscapementSim") })
  }

  @Test func `a test that never reaches it has a warning`() async throws {
    let reported = try await issues {
      try await withVirtualTime(order: .exploring(10)) { _ in
        let cache = Cache()
        async let one: ()? = try? await cache.add(1)
        async let other: ()? = try? await cache.add(2)
        _ = await (one, other)
      }
    }
    #expect(reported.count == 1)
    #expect(reported.first?.message.contains("- the cache was full (EscapementSim") == true)
  }

  @Test func `situations are not asked for outside of virtual time, and need no scope`() {
    Simulation.sometimes(false, "never")
  }
}
