import Foundation
import PointsOfInterest

/// A chart of when each kind of place was shown: a row per kind, a column per hour of the day.
///
/// A column shows the kind's share of that hour. The highest column of each row has full height.
/// The number after the row is the share of all time. Outages of the server have a row of their
/// own.
struct DayPicture {
  let log: ShowLog

  private static let heights = Array("▁▂▃▄▅▆▇█")
  private static let labelWidth = 12

  var lines: [String] {
    var rows = PlaceKind.allCases.map { (label: $0.rawValue, time: log.time(of: $0)) }
    if log.closed.total > 0 { rows.append((label: "(closed)", time: log.closed)) }
    let all = rows.reduce(into: HourlyTime()) { $0 += $1.time }
    if log.outages > 0 { rows.append((label: "(outage)", time: log.outage)) }
    return [axis] + rows.map { row(label: $0.label, time: $0.time, of: all) }
  }

  private var axis: String {
    let hours = stride(from: 0, to: 24, by: 3).map { "\($0)".padded(to: 3) }.joined()
    return "".padded(to: Self.labelWidth) + hours + "   all"
  }

  private func row(label: String, time: HourlyTime, of all: HourlyTime) -> String {
    // Hours that were not simulated have no share.
    let shares = (0..<24).map { all[$0] > 0 ? time[$0] / all[$0] : nil }
    let highest = shares.compactMap(\.self).max() ?? 0
    let columns = shares.map { column(share: $0, highest: highest) }.joined()
    let percent = all.total > 0 ? Int((time.total / all.total * 100).rounded()) : 0
    return label.padded(to: Self.labelWidth) + columns + "\(percent) %".padded(to: 6, by: .leading)
  }

  private func column(share: Double?, highest: Double) -> String {
    guard let share else { return " " }
    guard share > 0 else { return "·" }
    let height = Int((share / highest * Double(Self.heights.count)).rounded(.up))
    return String(Self.heights[height - 1])
  }
}
