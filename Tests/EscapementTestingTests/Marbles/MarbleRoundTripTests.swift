import TestSupport
import Testing
import _EscapementCore

@testable import EscapementTesting

/// Diagrams that are drawn at random.
struct MarbleRoundTripTests {
  private typealias Event = (event: MarbleDiagram.Event, instant: Int64)

  private static let alphabet = Array("abcmsnuhd0123456789.é👍µ+")
  private static let pieces = [
    "-", "--", "a", "b", "1", "9", "s", "ms", " ", "\n", "(", ")", "|", "#", "!", "^", " 9ms ",
    " 2us ",
    "1.5s", " 0.25s ", "(ab)", "(a 3us b)", ".", "µs", "👍", "\u{301}", "\u{200D}", "٣",
    "99999999999",
  ]

  private func randomEvents(_ unit: Int64, _ random: inout SplitMix64) -> [Event] {
    var (instant, events) = (0 as Int64, [] as [Event])
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let gaps = [
        0, 0, unit, unit, 2 * unit, 7 * unit, 100 * unit, unit / 2, 1, unit - 1, unit + 1,
      ]
      instant += gaps.randomElement(using: &random) ?? 0
      events.append((.value(Self.alphabet.randomElement(using: &random) ?? "a"), instant))
    }
    let ends: [MarbleDiagram.Event?] = [nil, .end, .failure, .cancellation]
    if let end = ends.randomElement(using: &random) ?? nil { events.append((end, instant)) }
    return events
  }

  @Test(arguments: [1, 10, 1_000_000] as [Int64])
  func `what is drawn is parsed as the same events`(unit: Int64) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let events = randomEvents(unit, &random)
      let end = (events.last?.instant ?? 0) + unit * Int64.random(in: 1...3, using: &random)
      let text = MarbleDiagram.draw(events, from: 0, to: end, unit: unit)
      let diagram = try MarbleDiagram(text, unit: .nanoseconds(unit))
      #expect(diagram.events.map(\.event) == events.map(\.event), "seed \(seed): \(text)")
      #expect(diagram.events.map(\.nanoseconds) == events.map(\.instant), "seed \(seed): \(text)")
      if events.last?.event.isLast != true {
        #expect(diagram.length == end, "seed \(seed): \(text)")
      }
    }
  }

  @Test func `any text is parsed or refused at one of its columns`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    var accepted = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...8, using: &random)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      do throws(MarbleSyntaxError) {
        let diagram = try MarbleDiagram(text)
        accepted += 1
        let drawn = MarbleDiagram.draw(
          diagram.events.map { ($0.event, $0.nanoseconds) }, from: 0, to: diagram.length,
          unit: 1_000_000)
        let again = try MarbleDiagram(drawn)
        #expect(
          again.events.map(\.event) == diagram.events.map(\.event), "seed \(seed): \(text)")
        #expect(
          again.events.map(\.offset) == diagram.events.map(\.offset), "seed \(seed): \(text)")
        let characters = Array(text)
        for event in diagram.events {
          #expect(characters[event.column - 1] == event.event.symbol, "seed \(seed): \(text)")
        }
      } catch {
        #expect((1...max(1, text.count)).contains(error.column), "seed \(seed): \(text)")
        #expect(error.description.contains("^"))
      }
    }
    #expect(accepted > 100, "seed \(seed)")
  }
}
