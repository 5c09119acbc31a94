import Foundation

/// Observes named notifications of a centre until it is released.
final class Observation: @unchecked Sendable {
  // Sendable because the tokens are read only once, in `deinit`, when no other reference exists.
  private let center: NotificationCenter
  private let tokens: [any NSObjectProtocol]

  init(
    _ center: NotificationCenter, _ names: [Notification.Name],
    _ observer: @escaping @Sendable (Notification) -> Void
  ) {
    self.center = center
    tokens = names.map {
      center.addObserver(forName: $0, object: nil, queue: nil, using: observer)
    }
  }

  deinit {
    for token in tokens { center.removeObserver(token) }
  }
}
