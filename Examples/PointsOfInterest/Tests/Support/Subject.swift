public import EscapementTesting
package import PointsOfInterest
public import Testing

/// A manager, and the events that it has reported, without those that each refresh begins with.
@MainActor
package final class Subject {
  package var stopsAtOnce = false
  package private(set) var events: [String] = []
  /// When the manager reported the event, since the subject was created.
  package private(set) var times: [Duration] = []
  package private(set) var manager: FeaturedPlaceManager!
  private let start = ContinuousClock.now

  package init(loader: any PlaceLoader, store: (any PlaceStore)? = nil) {
    manager = FeaturedPlaceManager(loader: loader, store: store) { [weak self] event in
      guard let self, let text = Self.describe(event) else { return }
      events.append(text)
      times.append(start.duration(to: .now))
      if stopsAtOnce { manager.stop() }
    }
  }

  /// Removes all events so far.
  package func forget() {
    (events, times) = ([], [])
  }

  private static func describe(_ event: FeaturedPlaceEvent) -> String? {
    switch event {
    case .restored(let place, let openPlaces):
      "restored: \(place?.name ?? "none") of \(openPlaces)"
    case .loadingStarted: nil
    case .refreshed(let place, let openPlaces):
      "refreshed: \(place?.name ?? "none") of \(openPlaces)"
    case .loadingFailed(_, let delay): "again in \(delay)"
    case .refreshFailed: "failed"
    case .storeFailed: "store failed"
    case .movedOn(let place): "moved on: \(place.name)"
    }
  }
}

extension Trait where Self == VirtualTimeTrait {
  /// Manual virtual time that starts on Monday, 2026-06-01, at this hour in San Jose.
  public static func monday(at hour: Int) -> Self {
    let midnight = Duration.seconds(1_780_297_200)
    return .virtualTime(
      VirtualTimeOptions(mode: .manual, wallClockStart: midnight + .seconds(hour * 3600)))
  }
}
