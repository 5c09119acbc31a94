// Waits of XCTest in virtual time.

import EscapementTesting
import XCTest

final class AnnouncementTests: XCTestCase {
  func testTheNewsletterIsAnnounced() async throws {
    try await withVirtualTime { time in
      let announced = expectation(description: "announced")
      Task {
        try await Task.sleep(for: .seconds(20))
        announced.fulfill()
      }
      await fulfillment(of: [announced], timeout: 60)
      XCTAssertEqual(time.now.offset, .seconds(20))
    }
  }
}
