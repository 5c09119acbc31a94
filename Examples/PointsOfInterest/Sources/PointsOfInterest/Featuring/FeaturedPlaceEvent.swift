/// A change of the featured place, or news of loading and storing the places.
public enum FeaturedPlaceEvent {
  /// The stored places are shown until the first refresh. The nearest open one is featured.
  case restored(featured: Place?, openPlaces: Int)

  /// A refresh has begun to load the places.
  case loadingStarted

  /// The open places were refreshed. The nearest one is featured, or none if all are closed.
  case refreshed(featured: Place?, openPlaces: Int)

  /// An attempt to load the places failed, and there will be another one after this time.
  case loadingFailed(any Error, nextAttemptAfter: Duration)

  /// The last attempt to load the places failed. The app keeps the places that it knows.
  case refreshFailed(any Error)

  /// The stored places could not be read or replaced. The app goes on without them.
  case storeFailed(any Error)

  /// The next place is featured, because the turn of the last one was over or the user asked for
  /// it.
  case movedOn(to: Place)
}
