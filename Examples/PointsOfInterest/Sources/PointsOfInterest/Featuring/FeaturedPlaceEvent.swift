/// What happened to the featured place.
public enum FeaturedPlaceEvent {
  /// The open places were found anew: the nearest is featured, or none if all are closed.
  case refreshed(featured: Place?, openPlaces: Int)

  /// All attempts to load the places failed; the app goes on with those it knows.
  case refreshFailed(any Error)

  /// The next place took its turn, because the one before was over or the user asked for it.
  case movedOn(to: Place)
}
