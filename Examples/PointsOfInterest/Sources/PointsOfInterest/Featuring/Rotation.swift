/// The places that are featured in turn, nearest first.
struct Rotation: Equatable {
  private let places: [Place]
  private var turn = 0

  /// No places at all.
  init() {
    places = []
  }

  /// Takes the places that are open at `time`, and starts with the one nearest to `location`.
  init(of places: [Place], openAt time: LocalTime, near location: Coordinate) {
    self.places =
      places
      .filter { $0.hours.isOpen(at: time) }
      .map { (place: $0, distance: $0.coordinate.distance(to: location)) }
      .sorted { ($0.distance, $0.place.name) < ($1.distance, $1.place.name) }
      .map(\.place)
  }

  /// The number of places in the rotation.
  var count: Int { places.count }

  /// The place that is featured now, or `nil` if no place is open.
  var current: Place? { places.isEmpty ? nil : places[turn] }

  /// Moves to the next place; the nearest one follows the farthest.
  mutating func moveOn() {
    guard !places.isEmpty else { return }
    turn = (turn + 1) % places.count
  }
}
