public import Foundation

extension Notification.Name {
  /// An ``Account`` posts it after the user has signed in or out.
  public static let authChanged = Notification.Name("authChanged")
}

/// The user's account.
@MainActor
public final class Account {
  /// Whether the user is signed in.
  public private(set) var isSignedIn = false

  private let notificationCenter: NotificationCenter

  /// Creates an account whose user is signed out.
  ///
  /// - Parameter notificationCenter: The center to which the account posts. A test passes one of
  ///   its own.
  public init(notificationCenter: NotificationCenter = .default) {
    self.notificationCenter = notificationCenter
  }

  /// Signs the user in; does nothing if the user is signed in.
  public func signIn() { change(to: true) }

  /// Signs the user out; does nothing if the user is signed out.
  public func signOut() { change(to: false) }

  private func change(to isSignedIn: Bool) {
    guard isSignedIn != self.isSignedIn else { return }
    self.isSignedIn = isSignedIn
    notificationCenter.post(name: .authChanged, object: self)
  }
}
