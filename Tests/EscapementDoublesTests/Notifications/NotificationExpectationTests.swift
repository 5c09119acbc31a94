import Testing

@testable import EscapementDoubles

@Suite struct NotificationExpectationTests {
  /// All small numbers of expected and of posted notifications.
  @Test func `it fails if another number was posted, and says what was posted instead`() {
    for count in 0...3 {
      for matching in 0...3 {
        for ofOthers in 0...2 {
          for refused in 0...2 {
            for inDefaultCenter in 0...2 {
              let expectation = NotificationExpectation(
                name: "x", quantity: quantity(count), matching: matching, ofOthers: ofOthers,
                refused: refused, inDefaultCenter: inDefaultCenter)
              check(expectation, expected: count)
            }
          }
        }
      }
    }
  }

  private func quantity(_ count: Int) -> NotificationExpectation.Quantity {
    count == 0 ? .none : .exactly(count)
  }

  private func check(_ expectation: NotificationExpectation, expected count: Int) {
    let failure = expectation.failure
    #expect((failure == nil) == (expectation.matching == count))
    guard let failure else { return }
    let isMissing = expectation.matching < count
    #expect(failure.contains("from another object") == (isMissing && expectation.ofOthers > 0))
    #expect(failure.contains("after 'where'") == (isMissing && expectation.refused > 0))
    #expect(
      failure.contains("'NotificationCenter.default'")
        == (isMissing && expectation.inDefaultCenter > 0))
    #expect(failure.contains("'count: ") == (!isMissing && count > 0))
  }

  @Test(arguments: [
    (0, 1, "Expected no notification 'x', but 1 was posted."),
    (1, 0, "Expected 1 notification 'x', but none were posted."),
    (2, 3, "Expected 2 notifications 'x', but 3 were posted."),
  ])
  func `a failure begins with the expected and the actual number`(
    count: Int, matching: Int, summary: String
  ) {
    let expectation = NotificationExpectation(
      name: "x", quantity: quantity(count), matching: matching)
    #expect(expectation.failure?.hasPrefix(summary + "\n\n") == true)
  }

  @Test func `in the default centre the message mentions tests that run at the same time`() {
    var expectation = NotificationExpectation(name: "x", quantity: .none, matching: 1)
    #expect(expectation.failure?.contains("at the same time") == false)
    expectation.isDefaultCenter = true
    #expect(expectation.failure?.contains("at the same time") == true)
  }

  @Test(arguments: [0, -1]) func `a number that is not positive is refused`(count: Int) {
    let expectation = NotificationExpectation(name: "x", quantity: .exactly(count))
    #expect(expectation.failure?.hasPrefix("'count' must be positive (got \(count)).") == true)
    #expect(expectation.failure?.contains("use 'expectNoNotification'") == true)
  }
}
