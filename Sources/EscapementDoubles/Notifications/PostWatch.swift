import EscapementTesting
import Foundation
import _EscapementCore

/// Records the notifications or messages of one name that are posted while a body runs, in the
/// observed centre and in the default one.
struct PostWatch<Element> {
  private let name: String
  private let quantity: NotificationExpectation.Quantity
  private let all: () -> [Element]
  /// The elements of the expected object.
  private let own: () -> [Element]
  private let inDefaultCenter: (() -> [Element])?

  /// - Parameter record: Begins to record the elements of a centre, those of the expected object or
  ///   all. It returns a closure that returns the elements so far.
  private init(
    _ name: String, _ quantity: NotificationExpectation.Quantity, _ center: NotificationCenter,
    recording record: (_ center: NotificationCenter, _ isOwn: Bool) -> () -> [Element]
  ) {
    self.name = name
    self.quantity = quantity
    all = record(center, false)
    own = record(center, true)
    inDefaultCenter = center === NotificationCenter.default ? nil : record(.default, true)
  }

  /// Fails the test if the number of elements is not the expected one.
  func check(_ condition: (Element) -> Bool = { _ in true }, at location: SourceLocation) {
    let own = own()
    var expectation = NotificationExpectation(name: name, quantity: quantity)
    expectation.matching = own.count(where: condition)
    expectation.refused = own.count - expectation.matching
    expectation.ofOthers = all().count - own.count
    expectation.isDefaultCenter = inDefaultCenter == nil
    expectation.inDefaultCenter = inDefaultCenter?().count ?? 0
    if let failure = expectation.failure { DoubleOwner.current.report(failure, at: location) }
  }
}

extension PostWatch<Notification> {
  init(
    _ name: Notification.Name, _ object: AnyObject?, _ center: NotificationCenter,
    _ quantity: NotificationExpectation.Quantity
  ) {
    self.init(name.rawValue, quantity, center) { center, isOwn in
      let recorder = NotificationRecorder(
        center: center, named: name, object: isOwn ? object : nil)
      return { recorder.notifications }
    }
  }
}

#if compiler(>=6.3)
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  extension PostWatch
  where Element: NotificationCenter.MainActorMessage, Element.Subject: AnyObject {
    init(
      _ subject: Element.Subject?, _ center: NotificationCenter,
      _ quantity: NotificationExpectation.Quantity
    ) {
      self.init("\(Element.self)", quantity, center) { center, isOwn in
        let recorder =
          if isOwn, let subject {
            MessageRecorder(center: center, for: Element.self, of: subject)
          } else { MessageRecorder(center: center, for: Element.self) }
        return { recorder.messages }
      }
    }
  }
#endif
