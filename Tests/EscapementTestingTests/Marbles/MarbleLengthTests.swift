import EscapementTesting
import TestSupport
import Testing

/// Diagrams so long that quadratic work would take minutes.
@Suite(.virtualTime) struct MarbleLengthTests {
  private let text = String(repeating: "-a(bc)", count: 25_000) + "|"

  @Test func `a sequence of 75,000 elements does what its diagram draws`() async throws {
    #expect(try await expectMarbles(text, from: MarbleSequence(text)))
  }

  @Test func `a difference at the end of a long diagram is shown with what is around it`()
    async throws
  {
    let reported = try await issues {
      try await expectMarbles(text, from: MarbleSequence(text.dropLast(2) + "d)|"))
    }
    let message = reported.first?.message ?? ""
    #expect(message.contains("expected nothing until the end at"))
    #expect(message.count < 1_000)
    let lines = message.split(separator: "\n")
    #expect(lines[1].hasSuffix("-a(bc)-a(bc)|"))
    #expect(lines[2].hasSuffix("-a(bc)-a(bcd)|"))
    #expect(lines[3].contains("^ +74999ms"))
  }
}
