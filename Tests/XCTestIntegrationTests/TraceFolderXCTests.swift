#if os(Linux)
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  final class TraceFolderXCTests: XCTestCase {
    /// Fails, and is run only in a process of its own.
    func testAnAssertionFails() async throws {
      try XCTSkipUnless(ProcessOfItsOwn.isThis, "Run by the test below.")
      try await withVirtualTime { _ in XCTAssertEqual(1, 2) }
    }

    /// Is run only in a process of its own.
    func testNothingFails() async throws {
      try XCTSkipUnless(ProcessOfItsOwn.isThis, "Run by the test below.")
      try await withVirtualTime { _ in XCTAssertEqual(1, 1) }
    }

    func testAFailedAssertionWritesTheTimeline() async throws {
      let afterFailure = try await filesWritten(by: "testAnAssertionFails")
      let afterSuccess = try await filesWritten(by: "testNothingFails")
      XCTAssertEqual(afterFailure.count, 2)
      XCTAssertEqual(afterSuccess, [])
    }

    private func filesWritten(by test: String) async throws -> [String] {
      let folder = FileManager.default.temporaryDirectory.path + "/\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      _ = try await ProcessOfItsOwn(
        runningXCTest: "XCTestIntegrationTests.TraceFolderXCTests/\(test)",
        environment: ["ESCAPEMENT_TRACE": folder])
      return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
  }
#endif
