import Foundation

/// Features the open places near the user, one after another, nearest first.
///
/// It waits as app code does, with a bare `Task.sleep`, and asks `Date()` what time it is.
@MainActor
public final class FeaturedPlaceManager {
  /// How long a place is featured.
  public static let turn = Duration.seconds(10)

  /// The time between two looks at what is open.
  public static let refreshInterval = Duration.seconds(15 * 60)

  /// The place to show; `nil` if nothing is open, and before the first refresh.
  public var featuredPlace: Place? { rotation.current }

  private let loader: any PlaceLoader
  private let location: Coordinate
  private let onEvent: (FeaturedPlaceEvent) -> Void

  private var places: [Place] = []
  private var rotation = Rotation()
  private var refreshing: Task<Void, any Error>?
  private var rotating: Task<Void, any Error>?

  /// Creates a manager that does nothing until it is started.
  ///
  /// - Parameter onEvent: Called on the main actor after each change.
  public init(
    loader: any PlaceLoader,
    location: Coordinate = SanJose.conventionCenter,
    onEvent: @escaping (FeaturedPlaceEvent) -> Void = { _ in }
  ) {
    self.loader = loader
    self.location = location
    self.onEvent = onEvent
  }

  deinit {
    refreshing?.cancel()
    rotating?.cancel()
  }

  /// Refreshes now and from now on; does nothing if already started.
  public func start() {
    guard refreshing == nil else { return }
    refreshing = Task { [weak self] in
      while !Task.isCancelled {
        try await self?.refresh()
        try await Task.sleep(for: Self.refreshInterval)
      }
    }
  }

  /// Leaves the featured place as it is; does nothing if not started.
  public func stop() {
    refreshing?.cancel()
    refreshing = nil
    rotating?.cancel()
    rotating = nil
  }

  private func refresh() async throws {
    do {
      places = try await loader.places()
    } catch {
      try Task.checkCancellation()
      onEvent(.refreshFailed(error))
    }
    try Task.checkCancellation()
    rotation = Rotation(of: places, openAt: LocalTime(Date()), near: location)
    rotate()
    onEvent(.refreshed(featured: featuredPlace, openPlaces: rotation.count))
  }

  /// Begins the turn of the current place anew, if there is another to move on to.
  private func rotate() {
    rotating?.cancel()
    guard rotation.count > 1 else { return }
    rotating = Task { [weak self] in
      while !Task.isCancelled {
        try await Task.sleep(for: Self.turn)
        // A refresh at this very instant has begun another rotation.
        try Task.checkCancellation()
        self?.moveOn()
      }
    }
  }

  private func moveOn() {
    rotation.moveOn()
    if let featuredPlace { onEvent(.movedOn(to: featuredPlace)) }
  }
}
