// A class with a bare Task.sleep, and its tests with XCTest.

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

@MainActor
final class NewsletterTests: VirtualTimeTestCase {
  private var newsletter: Newsletter!

  override func setUp() async throws {
    newsletter = Newsletter()
    newsletter.start()
  }

  func testNewsletterIsSentAfterAWeek() async throws {
    try await Task.sleep(for: .seconds(7 * 86_400) - .nanoseconds(1))
    XCTAssertEqual(newsletter.sent, 0)
    try await Task.sleep(for: .nanoseconds(1))
    XCTAssertEqual(newsletter.sent, 1)
  }

  func testSynchronousCodeWaitsInVirtualTime() {
    sleep(7 * 86_400 + 1)
    XCTAssertEqual(newsletter.sent, 1)
  }
}

final class NewsletterByHandTests: XCTestCase {
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
