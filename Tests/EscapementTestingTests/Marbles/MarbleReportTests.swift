import EscapementTesting
import TestSupport
import Testing

/// What the report of a failure says, and that its actual line can be copied.
@Suite(.virtualTime) struct MarbleReportTests {
  private struct Offline: Error { let code: Int }

  private func lines<Elements: AsyncSequence & SendableMetatype>(
    _ diagram: String, from source: Elements
  ) async throws -> [String] where Elements.Element == String {
    let reported = try await issues { try await expectMarbles(diagram, from: source) }
    #expect(reported.count == 1)
    return (reported.first?.message ?? "").split(separator: "\n").map(String.init)
  }

  private func stream(_ elements: String...) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  @Test(arguments: [
    ("1a|", "1 s|"), ("12a|", "12 m|"), ("a-!-", "a|"), ("a-!|", "a|"), ("ab|", "a-b|"),
    ("(ab)|", "a(bc)|"), ("(1a)|", "(1 s)|"), ("a-b|", "a 7us b|"),
    ("a 1h b 1h c|", "a 1h b 30m c|"),
  ])
  func `the actual line can be copied into the test`(expected: String, actual: String)
    async throws
  {
    let source = MarbleSequence(actual, failure: MarbleError() as any Error)
    let drawn = try #require(try await lines(expected, from: source).dropFirst(2).first)
    #expect(drawn.hasPrefix("  actual    "))
    #expect(try await expectMarbles(String(drawn.dropFirst(12)), from: source))
  }

  @Test func `a duration behind a blank has one blank before it`() async throws {
    let source = MarbleSequence("a 1h b 30m c|", failure: MarbleError() as any Error)
    let message = try await lines("a 1h b 1h c|", from: source)
    #expect(message[2] == "  actual    a 1h b 30m c|")
  }

  @Test func `the actual line is as long as the diagram, which has a duration`() async throws {
    let source = MarbleSequence("a 40ms b|", failure: MarbleError() as any Error)
    let message = try await lines("a 50ms b|", from: source)
    #expect(message[2] == "  actual    a 40ms b|")
  }

  @Test func `a failure is reported where the double of the diagram is beyond virtual time`()
    async throws
  {
    let source = MarbleSequence("a", failure: MarbleError() as any Error)
    let message = try await lines("a 100000d b|", from: source)
    #expect(message.first?.contains("expected b, got nothing up to +") == true)
  }

  @Test func `a failure of another kind is called another one`() async throws {
    let source = MarbleSequence("a#", failure: Offline(code: 2) as any Error)
    let reported = try await issues {
      try await expectMarbles("a#", from: source, failure: Offline(code: 1))
    }
    #expect(reported.first?.message.contains("expected a failure, got another failure.") == true)
  }

  @Test func `a letter of the legend is no value that was received`() async throws {
    let message = try await lines("(xy|)", from: stream("long", "A", "longer"))
    #expect(message[0].hasSuffix(#"expected x, got B ("long")."#))
    #expect(message[2] == "  actual    (BAC|)")
    #expect(message.contains(#"  B is "long""#))
    #expect(message.contains(#"  C is "longer""#))
  }

  @Test func `tabs and line breaks leave the mark below its column`() async throws {
    let source = MarbleSequence("a-c|", failure: MarbleError() as any Error)
    let message = try await lines("a\t-\nb|", from: source)
    #expect(message[1] == "  expected  a - b|")
    #expect(message[2] == "  actual    a - c|")
    #expect(message[3] == String(repeating: " ", count: 16) + "^ +2ms, column 5")
  }

  @Test func `a diagram that takes no time expects nothing`() async throws {
    #expect(try await expectMarbles(" 0ms ", from: MarbleSequence("a|")))
  }
}
