import EscapementTesting
import Foundation
import _EscapementCore

/// Records the notifications of one name while a body runs, in the observed centre and in the
/// default one.
struct NotificationWatch {
  private let name: Notification.Name
  private let poster: ObjectIdentifier?
  private let quantity: NotificationExpectation.Quantity
  private let recorder: NotificationRecorder
  private let inDefaultCenter: NotificationRecorder?

  init(
    _ name: Notification.Name, _ object: AnyObject?, _ center: NotificationCenter,
    _ quantity: NotificationExpectation.Quantity
  ) {
    self.name = name
    self.quantity = quantity
    poster = object.map(ObjectIdentifier.init)
    recorder = NotificationRecorder(center: center, named: name)
    inDefaultCenter =
      center === NotificationCenter.default
      ? nil : NotificationRecorder(center: .default, named: name, object: object)
  }

  /// Fails the test if the number of notifications is not the expected one.
  func check(
    _ condition: (Notification) -> Bool = { _ in true }, at location: SourceLocation
  ) {
    var expectation = NotificationExpectation(name: name.rawValue, quantity: quantity)
    for notification in recorder.notifications {
      if let poster, poster != notification.poster {
        expectation.ofOthers += 1
      } else if !condition(notification) {
        expectation.refused += 1
      } else {
        expectation.matching += 1
      }
    }
    expectation.isDefaultCenter = inDefaultCenter == nil
    expectation.inDefaultCenter = inDefaultCenter?.notifications.count ?? 0
    if let failure = expectation.failure {
      DoubleOwner.current.report(failure, at: location)
    }
  }
}
