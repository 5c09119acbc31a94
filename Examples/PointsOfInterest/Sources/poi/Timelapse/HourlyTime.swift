import Foundation

/// Seconds of time for each hour of the day.
struct HourlyTime: Equatable {
  private var seconds = [TimeInterval](repeating: 0, count: 24)

  /// The sum over the day.
  var total: TimeInterval { seconds.reduce(0, +) }

  subscript(hour: Int) -> TimeInterval {
    get { seconds[hour] }
    set { seconds[hour] = newValue }
  }

  static func += (sum: inout HourlyTime, other: HourlyTime) {
    for hour in sum.seconds.indices { sum.seconds[hour] += other.seconds[hour] }
  }
}
