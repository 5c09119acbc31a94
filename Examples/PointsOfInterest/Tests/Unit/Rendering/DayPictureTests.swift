import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

@Suite struct DayPictureTests {
  private let midnight = StartTime.default.date

  @Test func `a column shows its share of the hour, and the highest column of a row is full`()
    throws
  {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: place("Café", .cafe), openPlaces: 2), at: midnight)
    log.record(.movedOn(to: place("Bar", .bar)), at: midnight + 1800)
    log.record(.movedOn(to: place("Café", .cafe)), at: midnight + 2700)
    log.record(.movedOn(to: place("Bar", .bar)), at: midnight + 5400)
    log.finish(at: midnight + 7200)

    #expect(try columns(of: "cafe", in: log).prefix(3) == "█▆ ")
    #expect(try columns(of: "bar", in: log).prefix(3) == "▄█ ")
    #expect(try columns(of: "park", in: log).prefix(3) == "·· ")
    #expect(try columns(of: "cafe", in: log).suffix(6) == "  63 %")
    #expect(try columns(of: "bar", in: log).suffix(6) == "  38 %")
  }

  @Test func `a share refers to the simulated part of an hour`() throws {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: place("Café", .cafe), openPlaces: 1), at: midnight)
    log.finish(at: midnight + 3610)
    #expect(try columns(of: "cafe", in: log).prefix(3) == "██ ")
  }

  @Test func `the row of closed hours appears only if there are any`() throws {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: place("Café", .cafe), openPlaces: 1), at: midnight + 1800)
    #expect(try columns(of: "(closed)", in: log).prefix(2) == "█ ")

    log = ShowLog(start: midnight)
    log.record(.refreshed(featured: place("Café", .cafe), openPlaces: 1), at: midnight)
    log.finish(at: midnight + 1800)
    #expect(!DayPicture(log: log).lines.contains { $0.hasPrefix("(closed)") })
  }

  @Test func `outages of the server have a row, and no part in the shares`() throws {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: place("Café", .cafe), openPlaces: 1), at: midnight)
    log.finish(at: midnight + 7200)
    #expect(!DayPicture(log: log).lines.contains { $0.hasPrefix("(outage)") })
    log.record(outage: DateInterval(start: midnight + 3600, duration: 1800))
    #expect(try columns(of: "(outage)", in: log).prefix(3) == "·█ ")
    #expect(try columns(of: "(outage)", in: log).suffix(6) == "  25 %")
    #expect(try columns(of: "cafe", in: log).suffix(6) == " 100 %")
  }

  @Test func `the smallest share is visible`() throws {
    var log = ShowLog(start: midnight)
    log.record(.refreshed(featured: place("Café", .cafe), openPlaces: 2), at: midnight)
    log.record(.movedOn(to: place("Bar", .bar)), at: midnight + 3599)
    log.finish(at: midnight + 7200)
    #expect(try columns(of: "bar", in: log).prefix(2) == "▁█")
    #expect(try columns(of: "cafe", in: log).prefix(2) == "█·")
  }

  @Test func `an empty log gives an empty chart`() {
    let lines = DayPicture(log: ShowLog(start: midnight)).lines
    #expect(lines.count == 1 + PlaceKind.allCases.count)
    #expect(lines.dropFirst().allSatisfy { $0.hasSuffix("    0 %") })
  }

  /// The text after the label of a row.
  private func columns(of label: String, in log: ShowLog) throws -> String {
    let line = try #require(DayPicture(log: log).lines.first { $0.hasPrefix(label) })
    return String(line.dropFirst(12))
  }
}
