import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

@Suite struct OutagesTests {
  private let start = StartTime.default.date

  @Test func `a seed gives the same outages every time, and other seeds give others`() {
    let outages = { (seed: UInt64) in Outages(after: start, seed: seed).upTo(start + 86_400) }
    #expect(outages(1) == outages(1))
    #expect(outages(1) != outages(2))
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `an outage takes 5 minutes to 2 hours, 2 to 10 hours after the last one`(seed: UInt64) {
    var end = start
    for outage in Outages(after: start, seed: seed).upTo(start + 10 * 86_400).dropLast() {
      #expect((7200...36_000).contains(outage.start.timeIntervalSince(end)))
      #expect((300...7200).contains(outage.duration))
      end = outage.end
    }
  }

  @Test func `an outage ends with the simulation`() throws {
    let first = try #require(Outages(after: start, seed: 1).first { _ in true })
    let cut = Outages(after: start, seed: 1).upTo(first.start + 60)
    #expect(cut == [DateInterval(start: first.start, duration: 60)])
    #expect(Outages(after: start, seed: 1).upTo(first.start) == [])
  }

  @Test func `an outage over a full hour is split in the log`() {
    var log = ShowLog(start: start)
    log.record(outage: DateInterval(start: start + 3000, duration: 1200))
    #expect(log.outages == 1)
    #expect([log.outage[0], log.outage[1], log.outage.total] == [600, 600, 1200])
  }
}
