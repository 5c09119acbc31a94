/// A kind of place.
public enum PlaceKind: String, CaseIterable, Decodable, Hashable, Sendable {
  case hotel, transit, park, landmark, museum, venue, market, cafe, restaurant, bar
}
