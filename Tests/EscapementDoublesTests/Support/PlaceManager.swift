import Foundation

extension Notification.Name {
  static let placesDidChange = Notification.Name("placesDidChange")
  static let placesDidFail = Notification.Name("placesDidFail")
}

/// A class of the talk, which posts when something has changed.
final class PlaceManager: Sendable {
  private let notificationCenter: NotificationCenter

  init(notificationCenter: NotificationCenter = .default) {
    self.notificationCenter = notificationCenter
  }

  func refresh(count: Int = 1) {
    notificationCenter.post(
      name: .placesDidChange, object: self, userInfo: ["count": count])
  }

  func refreshLater() async throws {
    try await Task.sleep(for: .seconds(60))
    refresh()
  }
}
