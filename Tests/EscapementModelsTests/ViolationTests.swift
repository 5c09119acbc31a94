import EscapementModels
import Testing

@Suite struct ViolationTests {
  private func violation(_ lanes: String...) throws -> String {
    guard case .wrong(let violation) = Register().check(History(lanes, Register.calls)) else {
      return "right"
    }
    return violation.description
  }

  @Test func `a violation shows the calls, and those that do not fit`() throws {
    #expect(
      try violation("[1           ]", "  [a] [o]") == """
        No order of these calls gives their answers:
        client 0  [ set(1) → 1           ]
        client 1   [ get → 1 ][ get → 0 ]
        client 1's get → 0 should give 1 after set(1) → 1 and get → 1.
        """)
  }

  @Test func `a call without an answer has no end`() throws {
    #expect(
      try violation("[1", "  [a] [o]") == """
        No order of these calls gives their answers:
        client 0  [ set(1)                …
        client 1   [ get → 1 ][ get → 0 ]
        client 1's get → 0 should give 1 after set(1) without an answer and get → 1.
        """)
  }

  @Test func `the first call may be wrong, and several may`() throws {
    #expect(
      try violation("[a]") == """
        No order of these calls gives their answers:
        client 0  [ get → 1 ]
        client 0's get → 1 should give 0.
        """)
    #expect(
      try violation("[a   ]", "  [b   ]") == """
        No order of these calls gives their answers:
        client 0  [ get → 1 ]
        client 1   [ get → 2 ]
        client 0's get → 1 should give 0 and client 1's get → 2 should give 0.
        """)
  }
}
