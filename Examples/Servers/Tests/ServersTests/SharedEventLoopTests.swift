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
