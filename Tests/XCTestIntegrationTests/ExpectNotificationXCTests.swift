import EscapementDoubles
import Foundation
import IssueReporting
import XCTest

final class ExpectNotificationXCTests: XCTestCase {
  private let center = NotificationCenter()
  private let change = Notification.Name("placesDidChange")

  func testANotificationThatIsPostedPasses() {
    expectNotification(named: change, on: center) { center.post(name: change, object: nil) }
  }

  func testOneThatIsNotPostedFails() {
    let recorder = Recorder()
    let line: UInt = #line + 2
    withIssueReporters([recorder]) {
      expectNotification(named: change, on: center) {}
    }
    XCTAssertEqual(recorder.issues.map(\.line), [line])
  }
}
