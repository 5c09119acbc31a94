import Foundation
import PointsOfInterest

/// The line at the end of a live run.
struct LiveSummary {
  let log: ShowLog
  let start: Date

  var text: String {
    let seconds = log.ranking.reduce(log.closed.total) { $0 + $1.time.total }
    let parts = [
      count(log.ranking.count, "place"), count(log.moves, "rotation"),
      count(log.refreshes, "refresh", plural: "refreshes"),
      log.failedRefreshes > 0 ? "\(log.failedRefreshes.grouped) failed" : nil,
    ]
    let list = parts.compactMap(\.self).joined(separator: ", ")
    return "\n\(list) in \(Int(seconds.rounded()).grouped) s\n"
  }

  private func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count.grouped) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
