import Foundation
import PointsOfInterest

/// A summary of what was shown; a year takes no more memory than a day.
struct ShowLog {
  /// How many times and how long a place was shown.
  struct Show {
    let place: Place
    var times = 0
    var time = HourlyTime()
  }

  private(set) var moves = 0
  private(set) var refreshes = 0
  private(set) var failedRefreshes = 0

  /// How long no place was open.
  private(set) var closed = HourlyTime()

  private(set) var outages = 0
  /// How long the server was down.
  private(set) var outage = HourlyTime()

  private var shows: [Place.ID: Show] = [:]
  private var current: Place.ID?

  /// The end of the time that has been added up.
  private var accounted: Date
  private var hour: Int
  private var hourEnd: Date

  init(start: Date) {
    accounted = start
    (hour, hourEnd) = Self.hour(around: start)
  }

  /// The places that were shown, the most shown first.
  var ranking: [Show] {
    shows.values.sorted { ($1.times, $0.place.name) < ($0.times, $1.place.name) }
  }

  /// How long places of each kind were shown.
  func time(of kind: PlaceKind) -> HourlyTime {
    shows.values.reduce(into: HourlyTime()) { sum, show in
      if show.place.kind == kind { sum += show.time }
    }
  }

  mutating func record(_ event: FeaturedPlaceEvent, at now: Date) {
    switch event {
    case .movedOn(let place):
      moves += 1
      show(place, at: now)
    case .refreshed(let place, openPlaces: _):
      refreshes += 1
      show(place, at: now)
    case .restored(let place, openPlaces: _): show(place, at: now)
    case .loadingStarted, .loadingFailed, .storeFailed: break
    case .refreshFailed:
      failedRefreshes += 1
    }
  }

  /// Adds the time up to the end.
  mutating func finish(at end: Date) {
    while accounted < end {
      let next = min(end, hourEnd)
      add(next.timeIntervalSince(accounted))
      accounted = next
      if accounted == hourEnd { (hour, hourEnd) = Self.hour(around: accounted) }
    }
  }

  /// Adds an outage of the server.
  mutating func record(outage interval: DateInterval) {
    outages += 1
    var start = interval.start
    while start < interval.end {
      let (hour, hourEnd) = Self.hour(around: start)
      let end = min(interval.end, hourEnd)
      outage[hour] += end.timeIntervalSince(start)
      start = end
    }
  }

  private mutating func show(_ place: Place?, at now: Date) {
    finish(at: now)
    current = place?.id
    if let place { shows[place.id, default: Show(place: place)].times += 1 }
  }

  private mutating func add(_ seconds: TimeInterval) {
    if let current {
      shows[current]?.time[hour] += seconds
    } else {
      closed[hour] += seconds
    }
  }

  /// The local hour of the day at `date`, and its end.
  ///
  /// The time of San Jose differs from Greenwich by whole hours.
  private static func hour(around date: Date) -> (hour: Int, end: Date) {
    let hours = (date.timeIntervalSince1970 / 3600).rounded(.down)
    return (LocalTime(date).hour, Date(timeIntervalSince1970: (hours + 1) * 3600))
  }
}
