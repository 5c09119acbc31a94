import EscapementTesting
import TestSupport
import XCTest

final class ExpectMarblesXCTests: XCTestCase {
  func testASequenceDoesWhatItsDiagramDraws() async throws {
    try await withVirtualTime { _ in
      let isRight = try await expectMarbles("a-(B|)", from: MarbleSequence("a-(B|)"))
      XCTAssert(isRight)
    }
  }

  func testAFailurePointsIntoTheDiagramAtTheCall() async throws {
    var line = 0
    let issues = try await issues {
      try await withVirtualTime { _ in
        line = #line + 1
        try await expectMarbles("a-b|", from: MarbleSequence("a-c|"))
      }
    }
    XCTAssertEqual(issues.map(\.line), [line])
    XCTAssert(issues.first?.message.contains("  actual    a-c|\n              ^ +2ms") == true)
  }
}
