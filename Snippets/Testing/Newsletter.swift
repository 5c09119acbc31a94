// A class with a bare Task.sleep, and its test with XCTest.

import EscapementTesting
import XCTest

@MainActor
final class Newsletter {
  private(set) var sent = 0

  func start() {
    Task {
      try await Task.sleep(for: .seconds(7 * 86_400))
      sent += 1
    }
  }
}

final class NewsletterTests: XCTestCase {
  private let week = Duration.seconds(7 * 86_400)

  @MainActor
  func testNewsletterIsSentAfterAWeek() async throws {
    try await withVirtualTime { time in
      let newsletter = Newsletter()
      newsletter.start()
      await time.advance(by: week - .nanoseconds(1))
      XCTAssertEqual(newsletter.sent, 0)
      await time.advance(by: .nanoseconds(1))
      XCTAssertEqual(newsletter.sent, 1)
    }
  }
}
