#if os(Linux)
  import EscapementTesting
  import Foundation
  import XCTest

  final class TraceFolderXCTests: XCTestCase {
    /// Fails, and is run only in a process of its own.
    func testAnAssertionFails() async throws {
      try XCTSkipUnless(Self.isProcessOfItsOwn, "Run by the test below.")
      try await withVirtualTime { _ in XCTAssertEqual(1, 2) }
    }

    /// Is run only in a process of its own.
    func testNothingFails() async throws {
      try XCTSkipUnless(Self.isProcessOfItsOwn, "Run by the test below.")
      try await withVirtualTime { _ in XCTAssertEqual(1, 1) }
    }

    func testAFailedAssertionWritesTheTimeline() throws {
      XCTAssertEqual(try filesWritten(by: "testAnAssertionFails").count, 2)
      XCTAssertEqual(try filesWritten(by: "testNothingFails"), [])
    }

    private func filesWritten(by test: String) throws -> [String] {
      let folder = FileManager.default.temporaryDirectory.path + "/\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["XCTestIntegrationTests.TraceFolderXCTests/\(test)"]
      process.environment = ProcessInfo.processInfo.environment
        .merging([Self.variable: "1", "ESCAPEMENT_TRACE": folder]) { $1 }
      process.standardOutput = Pipe()
      process.standardError = Pipe()
      try process.run()
      process.waitUntilExit()
      return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static let variable = "ESCAPEMENT_TESTS_PROCESS"
    private static var isProcessOfItsOwn: Bool {
      ProcessInfo.processInfo.environment[variable] != nil
    }
  }
#endif
