import EscapementTesting
import TestSupport
import XCTest

final class ExploringXCTests: XCTestCase {
  private struct LostUpdate: Error {}

  private func skipUnlessHopsAreSeen() throws {
    try XCTSkipUnless(
      VirtualTime.virtualizesStandardClocks, "Hops onto actors are not seen on this platform.")
  }

  func testAnErrorIsFoundAndMadeSmall() async throws {
    try skipUnlessHopsAreSeen()
    let issues = try await issues {
      do {
        try await withVirtualTime(order: .exploring(1_000)) { _ in
          if await balanceOfTwoDeposits() != 2 { throw LostUpdate() }
        }
        XCTFail("no schedule fails")
      } catch is LostUpdate {}
    }
    XCTAssertEqual(issues.count, 1)
    XCTAssert(issues.first?.message.contains("The smallest has 1 overtaking") == true)
  }

  func testAnExplorationThatPassesReportsNothing() async throws {
    let issues = try await issues {
      try await withVirtualTime(order: .exploring(50)) { _ in await Task.yield() }
    }
    XCTAssertEqual(issues.count, 0)
  }

  #if os(Linux)
    /// Fails, and is run only in a process of its own.
    func testAnAssertionFails() async throws {
      try XCTSkipUnless(ProcessOfItsOwn.isThis, "Run by the test below.")
      try await withVirtualTime(order: .exploring(1_000)) { _ in
        let balance = await balanceOfTwoDeposits()
        XCTAssertEqual(balance, 2)
      }
    }

    func testAnAssertionEndsTheSearch() async throws {
      try skipUnlessHopsAreSeen()
      let process = try await ProcessOfItsOwn(
        runningXCTest: "XCTestIntegrationTests.ExploringXCTests/testAnAssertionFails")
      let text = process.output
      XCTAssertNotEqual(process.status, 0, text)
      XCTAssertEqual(
        process.count(of: #"XCTAssertEqual failed: ("1") is not equal to ("2")"#), 1,
        "not reported once: \(text)")
      XCTAssert(text.contains("Schedule 2 of 1,001 fails."), text)
      XCTAssert(text.contains("XCTest reports each assertion that fails at once"), text)
    }
  #endif
}
