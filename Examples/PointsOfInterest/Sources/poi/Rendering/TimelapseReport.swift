import Foundation
import PointsOfInterest

/// The output of a timelapse.
struct TimelapseReport {
  let start: StartTime
  let length: SimulationLength
  let log: ShowLog
  let realTime: Duration

  private static let rankingLength = 5

  var text: String {
    let sections = [[title], counts, ranking, picture, times]
    return sections.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private var title: String {
    let weekday = String(describing: LocalTime(start.date).weekday).capitalized
    return "\(simulatedTime) in San Jose from \(weekday) \(start)"
  }

  private var counts: [String] {
    var lines = [
      field("Rotations", log.moves.grouped),
      field("Refreshes", log.refreshes.grouped),
      field("Places shown", log.ranking.count.grouped),
    ]
    if log.failedRefreshes > 0 {
      lines.insert(field("Refreshes failed", log.failedRefreshes.grouped), at: 2)
    }
    if log.outages > 0 {
      let hours = (log.outage.total / 3600).fixed(fractionDigits: 1)
      lines.append(field("Outages", "\(log.outages.grouped), \(hours) h"))
    }
    return lines
  }

  private var ranking: [String] {
    let rows = log.ranking.prefix(Self.rankingLength).map { show in
      let times = show.times.grouped.padded(to: 9, by: .leading)
      let hours = (show.time.total / 3600).fixed(fractionDigits: 1).padded(to: 9, by: .leading)
      return "  \(show.place.caption(width: 38).padded(to: 38))\(times)\(hours) h"
    }
    return ["Most shown".padded(to: 44) + "times       for"] + rows
  }

  private var picture: [String] {
    ["When each kind was shown, by hour, and its share"]
      + DayPicture(log: log).lines.map { "  " + $0 }
  }

  private var times: [String] {
    let real = realTime / .seconds(1)
    let ratio = Double(length.hours) * 3600 / real
    return [
      field("Simulated time", simulatedTime),
      field("Real time", "\(real.fixed(fractionDigits: 3)) s"),
      field("Ratio", "\(Int(min(ratio, 1e15)).grouped) to 1"),
    ]
  }

  private var simulatedTime: String {
    let (days, hours) = length.hours.quotientAndRemainder(dividingBy: 24)
    return [(days, "day"), (hours, "hour")]
      .filter { $0.0 > 0 }
      .map { "\($0.0.grouped) \($0.1)\($0.0 == 1 ? "" : "s")" }
      .joined(separator: " ")
  }

  private func field(_ name: String, _ value: String) -> String {
    name.padded(to: 18) + value
  }
}
