import EscapementTesting
import Foundation
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
        try await withVirtualTime(exploring: 1_000) { _ in
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
      try await withVirtualTime(exploring: 50) { _ in await Task.yield() }
    }
    XCTAssertEqual(issues.count, 0)
  }

  /// Fails, and is run only in a process of its own.
  func testAnAssertionFails() async throws {
    try XCTSkipUnless(Self.isProcessOfItsOwn, "Run by the test below.")
    try await withVirtualTime(exploring: 1_000) { _ in
      let balance = await balanceOfTwoDeposits()
      XCTAssertEqual(balance, 2)
    }
  }

  #if os(Linux)
    func testAnAssertionEndsTheSearch() throws {
      try skipUnlessHopsAreSeen()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["XCTestIntegrationTests.ExploringXCTests/testAnAssertionFails"]
      process.environment = ProcessInfo.processInfo.environment
        .merging([Self.variable: "1"]) { $1 }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      XCTAssertNotEqual(process.terminationStatus, 0, text)
      XCTAssertEqual(
        text.components(separatedBy: #"XCTAssertEqual failed: ("1") is not equal to ("2")"#).count,
        2, "not reported once: \(text)")
      XCTAssert(text.contains("Schedule 3 of 1,001 fails."), text)
      XCTAssert(text.contains("XCTest reports each assertion that fails at once"), text)
    }
  #endif

  private static let variable = "ESCAPEMENT_TESTS_PROCESS"
  private static var isProcessOfItsOwn: Bool {
    ProcessInfo.processInfo.environment[variable] != nil
  }
}
