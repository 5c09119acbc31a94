import EscapementTesting
import PointsOfInterest
import Testing

/// A manager, and the events that it has reported.
@MainActor
final class Subject {
  var stopsAtOnce = false
  private(set) var events: [String] = []
  /// When the manager reported the event, since the subject was created.
  private(set) var times: [Duration] = []
  private(set) var manager: FeaturedPlaceManager!
  private let start = ContinuousClock.now

  init(loader: any PlaceLoader) {
    manager = FeaturedPlaceManager(loader: loader) { [weak self] event in
      guard let self else { return }
      events.append(Self.describe(event))
      times.append(start.duration(to: .now))
      if stopsAtOnce { manager.stop() }
    }
  }

  /// Removes all events so far.
  func forget() {
    (events, times) = ([], [])
  }

  private static func describe(_ event: FeaturedPlaceEvent) -> String {
    switch event {
    case .refreshed(let place, let openPlaces):
      "refreshed: \(place?.name ?? "none") of \(openPlaces)"
    case .loadingFailed(_, let delay): "again in \(delay)"
    case .refreshFailed: "failed"
    case .movedOn(let place): "moved on: \(place.name)"
    }
  }
}

extension Trait where Self == VirtualTimeTrait {
  /// Manual virtual time that starts on Monday, 2026-06-01, at this hour in San Jose.
  static func monday(at hour: Int) -> Self {
    let midnight = Duration.seconds(1_780_297_200)
    return .virtualTime(
      VirtualTimeOptions(mode: .manual, wallClockStart: midnight + .seconds(hour * 3600)))
  }
}
