import EscapementTesting
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
