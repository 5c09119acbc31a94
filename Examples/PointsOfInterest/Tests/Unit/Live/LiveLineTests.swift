import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

@Suite struct LiveLineTests {
  private let date = StartTime.default.date + 8 * 3600 + 5

  @Test func `a move names the place and its distance`() {
    let line = LiveLine(event: .movedOn(to: place("Inn", .hotel)), date: date)
    #expect(line.text == "08:00:05      0 m  Inn, hotel\n")
  }

  @Test func `a refresh names the number of open places`() {
    let line = LiveLine(
      event: .refreshed(featured: place("Inn", .hotel), openPlaces: 7), date: date)
    #expect(line.text == "08:00:05  7 open\n08:00:05      0 m  Inn, hotel\n")
  }

  @Test func `a refresh without open places reads closed`() {
    let line = LiveLine(event: .refreshed(featured: nil, openPlaces: 0), date: date)
    #expect(line.text == "08:00:05  closed\n")
  }

  @Test func `stored places are marked`() {
    let line = LiveLine(
      event: .restored(featured: place("Inn", .hotel), openPlaces: 7), date: date)
    #expect(line.text == "08:00:05  7 open, as stored\n08:00:05      0 m  Inn, hotel\n")
    let closed = LiveLine(event: .restored(featured: nil, openPlaces: 0), date: date)
    #expect(closed.text == "08:00:05  closed, as stored\n")
  }

  @Test func `a full disk is one line`() {
    let line = LiveLine(event: .storeFailed(PlaceStoreError.diskIsFull), date: date)
    #expect(line.text == "08:00:05  the places cannot be stored: the disk is full\n")
  }

  @Test func `a failed attempt tells when the next one is`() {
    let line = LiveLine(
      event: .loadingFailed(CocoaError(.fileNoSuchFile), nextAttemptAfter: .seconds(4)),
      date: date)
    #expect(
      line.text == "08:00:05  the places cannot be loaded, next attempt in 4 s\n")
    #expect(line.text.count <= 60)
  }

  @Test func `a line has at most 60 columns`() {
    let name = String(repeating: "Museum ", count: 10)
    let line = LiveLine(event: .movedOn(to: place(name, .museum)), date: date)
    #expect(line.text.count == 61)
    #expect(line.text.hasSuffix("Muse…, museum\n"))
  }

  @Test func `a failure names its reason`() throws {
    let error = #expect(throws: OpeningHoursError.self) { try OpeningHours("never") }
    let line = LiveLine(event: .refreshFailed(try #require(error)), date: date)
    #expect(line.text.hasPrefix("08:00:05  could not refresh: cannot read the opening hours"))
  }
}
