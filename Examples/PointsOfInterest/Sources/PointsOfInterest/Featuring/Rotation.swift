/// The places that take turns, nearest first.
struct Rotation: Equatable {
  private let places: [Place]
  private var turn = 0

  /// No places at all.
  init() {
    places = []
  }

  /// Those of `places` that are open at `time`, beginning with the one nearest to `location`.
  init(of places: [Place], openAt time: LocalTime, near location: Coordinate) {
    self.places =
      places
      .filter { $0.hours.isOpen(at: time) }
      .map { (place: $0, distance: $0.coordinate.distance(to: location)) }
      .sorted { ($0.distance, $0.place.name) < ($1.distance, $1.place.name) }
      .map(\.place)
  }

  /// The number of places that take turns.
  var count: Int { places.count }

  /// The place whose turn it is; `nil` if nothing is open.
  var current: Place? { places.isEmpty ? nil : places[turn] }

  /// Gives the turn to the next place; after the farthest comes the nearest again.
  mutating func moveOn() {
    guard !places.isEmpty else { return }
    turn = (turn + 1) % places.count
  }
}
