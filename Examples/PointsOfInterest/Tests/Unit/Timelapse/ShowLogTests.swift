import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

@Suite struct ShowLogTests {
  private let cafe = place("Café", .cafe)
  private let bar = place("Bar", .bar)

  @Test func `a place is shown until the next one is`() {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: cafe, openPlaces: 2), at: midnight)
    log.record(.movedOn(to: bar), at: midnight + 10)
    log.record(.movedOn(to: cafe), at: midnight + 25)
    log.finish(at: midnight + 30)

    #expect(log.refreshes == 1)
    #expect(log.moves == 2)
    #expect(log.time(of: .cafe).total == 15)
    #expect(log.time(of: .bar).total == 15)
    #expect(log.time(of: .museum).total == 0)
    #expect(log.closed.total == 0)
  }

  @Test func `time is split at full hours`() {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: cafe, openPlaces: 1), at: midnight + 3590)
    log.finish(at: midnight + 7205)

    let time = log.time(of: .cafe)
    #expect((0..<4).map { time[$0] } == [10, 3600, 5, 0])
    #expect(log.closed[0] == 3590)
  }

  @Test func `the hours of the second day add to those of the first`() {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: cafe, openPlaces: 1), at: midnight)
    log.finish(at: midnight + 48 * 3600)
    let time = log.time(of: .cafe)
    #expect((0..<24).allSatisfy { time[$0] == 7200 })
  }

  @Test func `time without open places counts as closed`() {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: nil, openPlaces: 0), at: midnight)
    log.record(.refreshed(featured: cafe, openPlaces: 1), at: midnight + 900)
    log.finish(at: midnight + 1000)
    #expect(log.closed.total == 900)
    #expect(log.time(of: .cafe).total == 100)
  }

  @Test func `a failed refresh does not change what is shown`() {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: cafe, openPlaces: 1), at: midnight)
    log.record(.refreshFailed(CocoaError(.fileNoSuchFile)), at: midnight + 900)
    log.finish(at: midnight + 1000)
    #expect(log.failedRefreshes == 1)
    #expect(log.refreshes == 1)
    #expect(log.time(of: .cafe).total == 1000)
  }

  @Test func `the most shown place comes first, and equal places are sorted by name`() {
    var log = ShowLog(start: midnight)
    for (index, name) in ["b", "c", "a", "c"].enumerated() {
      log.record(.movedOn(to: place(name, .park)), at: midnight + Double(index * 10))
    }
    #expect(log.ranking.map(\.place.name) == ["c", "a", "b"])
    #expect(log.ranking.map(\.times) == [2, 1, 1])
  }

  private let midnight = StartTime.default.date
}
