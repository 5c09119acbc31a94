import EscapementVirtualTime
import Foundation
import PointsOfInterest

/// Runs the app in virtual time.
struct Simulation {
  let start: Date
  let hours: Int
  let loader: any PlaceLoader
  /// The outages of the server, if there are any.
  var outages: Outages?
  /// The file to which the timeline is written, if it is wanted.
  var trace: String?

  /// Returns what was shown, and calls `progress` after each simulated hour with a fraction up to
  /// 1.
  @MainActor
  func run(progress: @escaping (_ fraction: Double) -> Void) async throws -> ShowLog {
    let options = VirtualTimeOptions(
      wallClockStart: Duration.seconds(Int64(start.timeIntervalSince1970)),
      recordsTimeline: trace != nil)
    return try await withVirtualTime(options) { time in
      let log = try await play(progress: progress)
      if let trace { try time.timeline?.write(to: trace, title: "poi timelapse") }
      return log
    }
  }

  /// Runs the app, which reads and waits for virtual time as if it were real.
  @MainActor
  private func play(progress: (_ fraction: Double) -> Void) async throws -> ShowLog {
    var log = ShowLog(start: Date())
    let source: any PlaceLoader =
      if let outages { OutagePlaceLoader(loader, outages: outages) } else { loader }
    let manager = FeaturedPlaceManager(loader: source) { event in
      log.record(event, at: Date())
    }
    manager.start()
    for hour in 1...hours {
      // An event at the last instant belongs to the next day.
      let rest = hour == hours ? Duration.nanoseconds(1) : .zero
      try await Task.sleep(for: .seconds(3600) - rest)
      progress(Double(hour) / Double(hours))
    }
    manager.stop()
    let end = Date()
    log.finish(at: end)
    for outage in outages?.upTo(end) ?? [] { log.record(outage: outage) }
    return log
  }
}
