import Foundation
import PointsOfInterest

/// One line of output about an event.
struct LiveLine {
  let event: FeaturedPlaceEvent
  let date: Date

  var text: String { "\(time)  \(message)\n" }

  private var message: String {
    switch event {
    case .movedOn(let place): describe(place)
    case .restored(let place?, let openPlaces):
      "\(openPlaces) open, as stored\n\(time)  \(describe(place))"
    case .restored(nil, openPlaces: _): "closed, as stored"
    case .loadingStarted: "loading the places"
    case .refreshed(let place?, let openPlaces): "\(openPlaces) open\n\(time)  \(describe(place))"
    case .refreshed(nil, openPlaces: _): "closed"
    case .loadingFailed(_, let delay):
      "the places cannot be loaded, next attempt in \(delay.components.seconds) s"
    case .storeFailed(let error): error.inOneLine
    case .refreshFailed(let error): "could not refresh: \(error.inOneLine)"
    }
  }

  private func describe(_ place: Place) -> String {
    let meters = place.coordinate.distance(to: SanJose.conventionCenter)
    let distance = "\((Int(meters) + 5) / 10 * 10) m".padded(to: 7, by: .leading)
    return "\(distance)  \(place.caption(width: 41))"
  }

  private var time: String {
    let parts = SanJose.calendar.dateComponents([.hour, .minute, .second], from: date)
    return [parts.hour, parts.minute, parts.second]
      .map { "\($0 ?? 0)".padded(to: 2, by: .leading, with: "0") }
      .joined(separator: ":")
  }
}
