import EscapementDoubles
import Foundation
import TestSupport
import XCTest

final class ExpectNotificationXCTests: XCTestCase {
  private let center = NotificationCenter()
  private let change = Notification.Name("placesDidChange")

  func testANotificationThatIsPostedPasses() {
    expectNotification(named: change, on: center) { center.post(name: change, object: nil) }
  }

  func testOneThatIsNotPostedFails() {
    let line = #line + 1
    let issues = issues { expectNotification(named: change, on: center) {} }
    XCTAssertEqual(issues.map(\.line), [line])
  }
}
