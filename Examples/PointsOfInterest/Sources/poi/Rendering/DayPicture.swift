import Foundation
import PointsOfInterest

/// When what was shown: a row per kind of place, a column per hour of the day.
///
/// The height of a column is the share of that hour.
struct DayPicture {
  let log: ShowLog

  private static let heights = Array("▁▂▃▄▅▆▇█")
  private static let labelWidth = 12

  var lines: [String] {
    var rows = PlaceKind.allCases.map { (label: $0.rawValue, time: log.time(of: $0)) }
    if log.closed.total > 0 { rows.append((label: "(closed)", time: log.closed)) }
    let sum = rows.reduce(into: HourlyTime()) { $0 += $1.time }
    return [axis] + rows.map { row(label: $0.label, time: $0.time, of: sum) }
  }

  private var axis: String {
    let hours = stride(from: 0, to: 24, by: 3).map { "\($0)".padded(to: 6) }.joined()
    return "".padded(to: Self.labelWidth) + hours + "   all"
  }

  private func row(label: String, time: HourlyTime, of sum: HourlyTime) -> String {
    let columns = (0..<24).map { column(time: time[$0], of: sum[$0]) }.joined()
    let share = sum.total > 0 ? time.total / sum.total : 0
    let percent = "\(Int((share * 100).rounded())) %".padded(to: 6, by: .leading)
    return label.padded(to: Self.labelWidth) + columns + percent
  }

  private func column(time: TimeInterval, of sum: TimeInterval) -> String {
    guard sum > 0 else { return "  " }
    guard time > 0 else { return "··" }
    let height = Int((time / sum * Double(Self.heights.count)).rounded(.up))
    return String(repeating: Self.heights[min(height, Self.heights.count) - 1], count: 2)
  }
}
