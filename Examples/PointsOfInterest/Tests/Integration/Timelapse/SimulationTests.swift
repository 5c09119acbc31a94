import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

@MainActor
@Suite struct SimulationTests {
  @Test func `a day has 96 refreshes, with 89 moves after each`() async throws {
    let log = try await simulate(hours: 24, [place("Inn", .hotel), place("Bar", .bar)])
    #expect(log.refreshes == 96)
    #expect(log.moves == 96 * 89)
    #expect(log.ranking.map(\.times) == [96 * 45, 96 * 45])
    #expect(log.time(of: .bar).total == 12 * 3600)
    #expect(log.closed.total == 0)
  }

  @Test func `places open according to the virtual wall clock`() async throws {
    let shop = Place(
      name: "Shop", kind: .market, coordinate: SanJose.conventionCenter,
      hours: try OpeningHours("Fr 08:00-12:00; Sa 20:00-02:00"))
    let time = try await simulate(hours: 72, [shop]).time(of: .market)
    let open = (0..<24).filter { time[$0] > 0 }
    #expect(open == [0, 1, 8, 9, 10, 11, 20, 21, 22, 23])
    #expect(open.allSatisfy { time[$0] == 3600 })
  }

  @Test func `progress is reported after each hour`() async throws {
    var fractions: [Double] = []
    let simulation = Simulation(
      start: StartTime.default.date, hours: 4, loader: FixedPlaceLoader(fixed: []))
    _ = try await simulation.run { fractions.append($0) }
    #expect(fractions == [0.25, 0.5, 0.75, 1])
  }

  @Test func `the bundled places give the same day every time`() async throws {
    let loader = try BundledPlaceLoader()
    let report = { @MainActor in
      let simulation = Simulation(start: StartTime.default.date, hours: 24, loader: loader)
      let log = try await simulation.run { _ in }
      let length = try SimulationLength(hours: 24, days: nil)
      return TimelapseReport(start: .default, length: length, log: log, realTime: .seconds(1)).text
    }
    let first = try await report()
    #expect(first.contains("Rotations         8,544\n"))
    #expect(try await report() == first)
  }

  @Test func `the app keeps its places through outages`() async throws {
    let start = StartTime.default.date
    let outages = Outages(after: start, seed: 1)
    let simulation = Simulation(
      start: start, hours: 24, loader: FixedPlaceLoader(fixed: [place("Inn", .hotel)]),
      outages: outages)
    let log = try await simulation.run { _ in }
    let refreshes = (0..<96).map { start + Double($0) * 900 }
    let failed = refreshes.count { refresh in
      // The last attempt comes seven seconds after the first one.
      outages.upTo(start + 86_400).contains { $0.start <= refresh && refresh + 7 < $0.end }
    }
    #expect(log.failedRefreshes == failed)
    #expect(failed > 0)
    #expect(log.refreshes == 96)
    #expect(log.time(of: .hotel).total == 86_400)
  }

  @Test func `the timeline is written to a file`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    let simulation = Simulation(
      start: StartTime.default.date, hours: 1, loader: FixedPlaceLoader(fixed: []),
      trace: file.path)
    _ = try await simulation.run { _ in }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("the body sleeps until +3599.999999999 seconds"))
  }

  private func simulate(hours: Int, _ places: [Place]) async throws -> ShowLog {
    let simulation = Simulation(
      start: StartTime.default.date, hours: hours, loader: FixedPlaceLoader(fixed: places))
    return try await simulation.run { _ in }
  }
}

private struct FixedPlaceLoader: PlaceLoader {
  let fixed: [Place]

  func places() async throws -> [Place] { fixed }
}
