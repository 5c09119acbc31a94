import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

@Suite struct TimelapseReportTests {
  private let report: TimelapseReport = {
    let midnight = StartTime.default.date
    var log = ShowLog(start: midnight)
    for quarter in 0..<100 {
      let refresh = midnight + Double(quarter * 900)
      log.record(.refreshed(featured: place("Inn", .hotel), openPlaces: 2), at: refresh)
      log.record(.movedOn(to: place("Museum", .museum)), at: refresh + 225)
    }
    log.finish(at: midnight + 90_000)
    return TimelapseReport(
      start: .default, length: try! SimulationLength(hours: 25, days: nil), log: log,
      realTime: .milliseconds(20))
  }()

  @Test func `the report has all sections in order`() {
    #expect(
      report.text == """
        1 day 1 hour in San Jose from Friday 2026-06-05T00:00

        Rotations         100
        Refreshes         100
        Places shown      2

        Most shown                                  times       for
          Inn, hotel                                  100      6.2 h
          Museum, museum                              100     18.8 h

        When each kind was shown, by hour, and its share
                      0  3  6  9  12 15 18 21    all
          hotel       ████████████████████████  25 %
          transit     ························   0 %
          park        ························   0 %
          landmark    ························   0 %
          museum      ████████████████████████  75 %
          venue       ························   0 %
          market      ························   0 %
          cafe        ························   0 %
          restaurant  ························   0 %
          bar         ························   0 %

        Simulated time    1 day 1 hour
        Real time         0.020 s
        Ratio             4,500,000 to 1

        """)
  }

  @Test func `the report fits on a screen`() {
    let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 30)
    #expect(lines.allSatisfy { $0.count <= 60 })
  }
}
