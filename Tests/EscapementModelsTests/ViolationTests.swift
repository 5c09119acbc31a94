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

  @Test func `a page shows the longest order, and the calls that do not fit`() throws {
    let history = History(["[1", "  [a] [o]"], Register.calls)
    guard case .wrong(let violation) = Register().check(history) else { return }
    let page = violation.html(title: "Cache & store")
    // The class of each call, and its text.
    let boxes = page.matches(of: /<div class="(call.*?)" .*?>(.*?)</).map { "\($0.1): \($0.2)" }
    #expect(
      boxes.sorted() == [
        "call made: get → 1", "call misfit: get → 0", "call open made: set(1)",
      ])
    #expect(page.contains("<h1>Cache &amp; store</h1>"))
    #expect(page.contains("client 1's get → 0 should give 1 after set(1) without an answer"))
  }

  @Test func `answers that may be missing are shown as they are`() throws {
    struct Slot: Model {
      var value: Int?
      mutating func answer(to call: Int) -> Int? { value }
    }
    var history = History<Int, Int?>()
    history.end(history.begin(0, by: "client"), with: 7)
    guard case .wrong(let violation) = Slot().check(history) else { return }
    #expect(
      violation.description == """
        No order of these calls gives their answers:
        client  [ 0 → 7 ]
        client's 0 → 7 should give nil.
        """)
  }

  @Test func `of a long history, the calls before the one that does not fit are shown`() {
    var history = History<Register.Call, Int>()
    for number in 0..<10_000 {
      history.end(history.begin(.set(number), by: "client"), with: number)
    }
    history.end(history.begin(.get, by: "client"), with: 0)
    for _ in 0..<10_000 {
      history.end(history.begin(.get, by: "client"), with: 9_999)
    }
    guard case .wrong(let violation) = Register().check(history) else { return }
    let lines = violation.description.split(separator: "\n")
    #expect(lines[0] == "No order of these calls gives their answers (19960 others are not shown):")
    #expect(lines[1].hasPrefix("client  [ set(9960) → 9960 ][ set(9961) → 9961 ]"))
    #expect(lines[1].hasSuffix("[ set(9999) → 9999 ][ get → 0 ]"))
    #expect(lines[2].hasPrefix("client's get → 0 should give 9999 after 9959 calls, set(9959)"))
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
