/// What happened to the featured place.
public enum FeaturedPlaceEvent {
  /// The open places were found anew: the nearest is featured, or none if all are closed.
  case refreshed(featured: Place?, openPlaces: Int)

  /// The places could not be loaded; the app goes on with those it knows.
  case refreshFailed(any Error)

  /// The next place took its turn.
  case movedOn(to: Place)
}
