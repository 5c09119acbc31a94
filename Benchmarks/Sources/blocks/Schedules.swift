import Escapement
import EscapementFoundation
import Foundation

/// The runs of a schedule, each computed from the one before.
struct Schedules {
  let calls: Int

  func measure(_ subject: Subject, batches: Int) async throws -> Measurement {
    let zone = TimeZone(identifier: "Europe/Berlin")!
    switch subject {
    case .nightly: return try await runs(of: .cron("30 2 * * *", in: zone), batches)
    case .quarters: return try await runs(of: .cron("*/15 * * * *", in: zone), batches)
    case .nightlyUTC: return try await runs(of: .cron("30 2 * * *", in: .utc), batches)
    default: return await dates(in: zone, batches)
    }
  }

  private func runs(of schedule: Schedule, _ batches: Int) async -> Measurement {
    var last = WallClock.Instant(offset: .seconds(1_767_225_600))
    return await Measurement.of(batches: batches) {
      for _ in 0..<calls { last = schedule.next(after: last)! }
      return calls
    }
  }

  private func dates(in zone: TimeZone, _ batches: Int) async -> Measurement {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let components = DateComponents(hour: 2, minute: 30)
    var last = Date(timeIntervalSince1970: 1_767_225_600)
    return await Measurement.of(batches: batches) {
      for _ in 0..<calls {
        last = calendar.nextDate(after: last, matching: components, matchingPolicy: .nextTime)!
      }
      return calls
    }
  }
}
