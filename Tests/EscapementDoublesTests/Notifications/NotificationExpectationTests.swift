import Testing

@testable import EscapementDoubles

@Suite struct NotificationExpectationTests {
  /// All small numbers of what may have been posted.
  @Test func `it fails exactly if another number was posted, and says what was seen instead`() {
    for count in 0...3 {
      for matching in 0...3 {
        for ofOthers in 0...2 {
          for refused in 0...2 {
            for inDefaultCenter in 0...2 {
              let expectation = NotificationExpectation(
                name: "x", count: count, matching: matching, ofOthers: ofOthers, refused: refused,
                inDefaultCenter: inDefaultCenter)
              check(expectation)
            }
          }
        }
      }
    }
  }

  private func check(_ expectation: NotificationExpectation) {
    let failure = expectation.failure
    #expect((failure == nil) == (expectation.matching == expectation.count))
    guard let failure else { return }
    let isMissing = expectation.matching < expectation.count
    #expect(failure.contains("from another object") == (isMissing && expectation.ofOthers > 0))
    #expect(failure.contains("after 'where'") == (isMissing && expectation.refused > 0))
    #expect(
      failure.contains("'NotificationCenter.default'")
        == (isMissing && expectation.inDefaultCenter > 0))
    #expect(failure.contains("'count: ") == (!isMissing && expectation.count > 0))
  }

  @Test(arguments: [
    (0, 1, "Expected no notification 'x', but 1 was posted."),
    (1, 0, "Expected 1 notification 'x', but none were posted."),
    (2, 3, "Expected 2 notifications 'x', but 3 were posted."),
  ])
  func `it begins with the numbers`(count: Int, matching: Int, summary: String) {
    let expectation = NotificationExpectation(name: "x", count: count, matching: matching)
    #expect(expectation.failure?.hasPrefix(summary + "\n\n") == true)
  }

  @Test func `in the default centre others may post as well`() {
    var expectation = NotificationExpectation(name: "x", count: 0, matching: 1)
    #expect(expectation.failure?.contains("at the same time") == false)
    expectation.isDefaultCenter = true
    #expect(expectation.failure?.contains("at the same time") == true)
  }

  @Test func `a negative number is refused`() {
    let expectation = NotificationExpectation(name: "x", count: -1)
    #expect(expectation.failure?.hasPrefix("'count' is -1") == true)
  }
}
