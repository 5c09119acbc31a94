public import Foundation

/// The list of places on the first screen, which is empty while the user is signed out.
@MainActor
public final class PlaceList {
  /// All places, in the order of the list.
  public var places: [Place] = [] {
    didSet { update() }
  }

  /// The places to show.
  public private(set) var visiblePlaces: [Place] = []

  private let account: Account
  private let notificationCenter: NotificationCenter
  private nonisolated(unsafe) var observer: (any NSObjectProtocol)?

  /// Creates a list that observes the account.
  ///
  /// - Parameter notificationCenter: The center to which the account posts. A test passes one of
  ///   its own.
  public init(account: Account, notificationCenter: NotificationCenter = .default) {
    self.account = account
    self.notificationCenter = notificationCenter
    observer = notificationCenter.addObserver(
      forName: .authChanged, object: account, queue: nil
    ) { [weak self] _ in
      // The account posts on the main actor, and its observers are called at once.
      MainActor.assumeIsolated { self?.update() }
    }
  }

  deinit {
    if let observer { notificationCenter.removeObserver(observer) }
  }

  private func update() {
    visiblePlaces = account.isSignedIn ? places : []
  }
}
