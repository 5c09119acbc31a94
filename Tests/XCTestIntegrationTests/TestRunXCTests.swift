import Escapement
import XCTest

final class TestRunXCTests: XCTestCase {
  func testTheseTestsAreOne() {
    XCTAssert(TestRun.isActive)
  }
}
