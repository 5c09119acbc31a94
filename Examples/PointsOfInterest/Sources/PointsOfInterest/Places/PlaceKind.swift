/// A kind of place.
public enum PlaceKind: String, CaseIterable, Codable, Hashable, Sendable {
  case hotel, transit, park, landmark, museum, venue, market, cafe, restaurant, bar
}
