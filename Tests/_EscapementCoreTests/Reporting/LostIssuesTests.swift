import Foundation
import TestSupport
import Testing

@testable import _EscapementCore

#if canImport(Glibc) || canImport(Musl)
  @Suite struct LostIssuesTests {
    @Test(.takingTurns)
    func `a process of tests whose issues are lost fails, and tells what to link`() async {
      await #expect(processExitsWith: .exitCode(EXIT_FAILURE)) { LostIssues.failProcess() }
      #expect(LostIssues.message.contains("does not link the product 'EscapementTesting'"))
    }

    @Test(.takingTurns) func `a process whose issues reach the test framework does not fail`() async
    {
      await #expect(processExitsWith: .success) { LostIssues.failProcessIfLost }
    }
  }
#endif
