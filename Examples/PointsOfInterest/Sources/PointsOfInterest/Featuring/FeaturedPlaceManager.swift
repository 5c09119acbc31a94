import Escapement
import Foundation

/// Features the open places near the user, one after another, nearest first.
///
/// It waits like any app code: with a bare `Task.sleep`, and with building blocks to which it
/// passes no clock. It reads the time from `Date()`.
@MainActor
public final class FeaturedPlaceManager {
  /// How long a place is featured, unless the user asks for the next one.
  public static let turn = Duration.seconds(10)

  /// The time between two refreshes of the open places.
  public static let refreshInterval = Duration.seconds(15 * 60)

  /// The shortest time between two moves that the user asks for.
  public static let inputInterval = Duration.milliseconds(500)

  /// How many times a refresh tries to load the places: now, and 1, 3 and 7 seconds later.
  static let loadingAttempts = 4
  static let backoff = Backoff.exponential(base: .seconds(1), cap: .seconds(30))

  /// The place to show, or `nil` if no place is open or before the first refresh.
  public var featuredPlace: Place? { rotation.current }

  private let loader: any PlaceLoader
  private let store: (any PlaceStore)?
  private let location: Coordinate
  private let onEvent: (FeaturedPlaceEvent) -> Void

  private let refreshes = DefaultPeriodicTaskLauncher()
  private let userInput = RateLimiter(rate: FeaturedPlaceManager.inputInterval)

  private var places: [Place] = []
  private var rotation = Rotation()
  private var refreshing: Task<Void, any Error>?
  private var rotating: Task<Void, any Error>?

  /// Creates a manager that does nothing until it is started.
  ///
  /// - Parameters:
  ///   - loader: The source of places.
  ///   - store: Keeps the loaded places for the next start.
  ///   - location: The location of the user.
  ///   - onEvent: Called on the main actor after each change.
  public init(
    loader: any PlaceLoader,
    store: (any PlaceStore)? = nil,
    location: Coordinate = SanJose.conventionCenter,
    onEvent: @escaping (FeaturedPlaceEvent) -> Void = { _ in }
  ) {
    self.loader = loader
    self.store = store
    self.location = location
    self.onEvent = onEvent
    refreshes.every(Self.refreshInterval) { [weak self] in
      // The manager may have been stopped before the tick reached the main actor.
      if !Task.isCancelled { self?.refresh() }
    }
  }

  deinit {
    refreshing?.cancel()
    rotating?.cancel()
  }

  /// Shows the stored places, and refreshes them now and every 15 minutes; does nothing if the
  /// manager is already started.
  public func start() {
    guard !refreshes.isActive else { return }
    refresh()
    refreshes.start()
  }

  /// Keeps the featured place, and stops all refreshes and moves; does nothing if not started.
  public func stop() {
    refreshes.stop()
    refreshing?.cancel()
    rotating?.cancel()
    userInput.cancel()
  }

  /// Features the next place; does nothing if not started, or if there is no other place.
  ///
  /// The first move happens at once. If the user asks again within the interval, the next move
  /// happens at its end.
  public func userAskedForNext() {
    guard refreshes.isActive else { return }
    userInput.execute { [weak self] in
      self?.rotate()
      self?.moveOn()
    }
  }

  /// Refreshes the open places, and cancels a refresh that is still under way.
  private func refresh() {
    refreshing?.cancel()
    refreshing = Task { [weak self, loader] in
      try await self?.restore()
      self?.onEvent(.loadingStarted)
      // The observer may have stopped the manager.
      try Task.checkCancellation()
      var loaded: [Place]?
      do {
        var delays = Self.backoff.prefix(Self.loadingAttempts - 1).makeIterator()
        let places = try await retry(
          maximumAttempts: Self.loadingAttempts, backoff: Self.backoff,
          when: { error in
            guard error.mayPass else { return .fail }
            if let delay = delays.next() {
              self?.onEvent(.loadingFailed(error, nextAttemptAfter: delay))
            }
            return .retry
          }
        ) {
          try await loader.places()
        }
        try Task.checkCancellation()
        self?.places = places
        loaded = places
      } catch {
        try Task.checkCancellation()
        self?.onEvent(.refreshFailed(error))
      }
      try Task.checkCancellation()
      self?.featureNearest(as: FeaturedPlaceEvent.refreshed)
      if let loaded { await self?.keep(loaded) }
    }
  }

  /// Shows the stored places, if there are no others.
  private func restore() async throws {
    guard let store, places.isEmpty else { return }
    do {
      let stored = try await store.places()
      try Task.checkCancellation()
      guard !stored.isEmpty else { return }
      places = stored
      featureNearest(as: FeaturedPlaceEvent.restored)
    } catch {
      try Task.checkCancellation()
      onEvent(.storeFailed(error))
    }
    try Task.checkCancellation()
  }

  /// Replaces the stored places.
  private func keep(_ loaded: [Place]) async {
    do {
      try await store?.replacePlaces(with: loaded)
    } catch {
      if !Task.isCancelled { onEvent(.storeFailed(error)) }
    }
  }

  private func featureNearest(as event: (_ featured: Place?, _ open: Int) -> FeaturedPlaceEvent) {
    rotation = Rotation(of: places, openAt: LocalTime(Date()), near: location)
    rotate()
    onEvent(event(featuredPlace, rotation.count))
  }

  /// Restarts the turn of the current place, if there is another place to move on to.
  private func rotate() {
    rotating?.cancel()
    guard rotation.count > 1 else { return }
    rotating = Task { [weak self] in
      while !Task.isCancelled {
        try await Task.sleep(for: Self.turn)
        // A refresh or the user has started another rotation at this instant.
        try Task.checkCancellation()
        self?.moveOn()
      }
    }
  }

  private func moveOn() {
    guard rotation.count > 1 else { return }
    rotation.moveOn()
    if let featuredPlace { onEvent(.movedOn(to: featuredPlace)) }
  }
}
