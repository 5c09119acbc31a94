import EscapementTesting
import TestSupport
import Testing

/// Diagrams so long that quadratic work would take a minute.
@Suite(
  .plainOrder(because: "The order does not matter, and many schedules would take minutes."),
  .virtualTime)
struct MarbleLengthTests {
  private let text = String(repeating: "-a(bc)", count: 10_000) + "|"

  @Test func `a sequence of 30,000 elements does what its diagram draws`() async throws {
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
    #expect(lines[3].contains("^ +29999ms"))
  }

  @Test func `of 10,000 elements with 10,000 values the message names those that it shows`()
    async throws
  {
    let characters = (0..<10_000).compactMap {
      UnicodeScalar(0x4E00 + UInt32($0)).map(Character.init)
    }
    let values = Dictionary(uniqueKeysWithValues: zip(characters, 0...))
    let reported = try await issues {
      try await expectMarbles(
        String(characters), from: AsyncStream(unfolding: { -1 }), values: values)
      try await expectMarbles(
        "-" + String(characters), from: MarbleSequence(String(characters), values: values),
        values: values)
    }
    #expect(reported.count == 2)
    #expect(reported.first?.message.contains("got A (-1)") == true)
    #expect(reported.last?.message.contains("got \(characters[0])") == true)
  }
}
