import Testing

@testable import _EscapementCore

#if canImport(Glibc) || canImport(Musl)
  @Suite struct LostIssuesTests {
    @Test func `a process of tests whose issues are lost fails, and tells what to link`()
      async throws
    {
      let result = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          LostIssues.failProcess()
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("does not link the product 'EscapementTesting'"))
    }

    @Test func `a process whose issues reach the test framework does not fail`() async {
      await #expect(processExitsWith: .success) { LostIssues.failProcessIfLost }
    }
  }
#endif
