/// The first difference between a diagram and what has happened.
struct MarbleComparison {
  typealias Event = MarbleDiagram.Event

  let diagram: MarbleDiagram
  /// The actual events, with the character of each value.
  let actual: [(event: Event, instant: Int64)]
  /// The index of the first events that differ.
  let index: Int
  /// The meaning of a character of the actual events that is not in the diagram.
  let legend: [(character: Character, value: String)]
  /// Until when has been observed.
  let observedUntil: Int64

  private var expected: MarbleDiagram.TimedEvent? {
    diagram.events.indices.contains(index) ? diagram.events[index] : nil
  }

  private var found: (event: Event, instant: Int64)? {
    actual.indices.contains(index) ? actual[index] : nil
  }

  /// When the diagram and what has happened become different.
  var instant: Int64 { min(expected?.nanoseconds ?? .max, found?.instant ?? .max) }

  /// The position in the diagram of the first difference, from 1.
  var column: Int {
    if let expected, expected.nanoseconds == instant { return expected.column }
    guard let span else { return diagram.text.count + 1 }
    // In a group that has ended before, it is what follows the group's last event.
    return span.column
  }

  /// The part of the diagram in which the difference lies.
  private var span: MarbleDiagram.Span? {
    // The spans are in order, so a binary search finds the first one that ends later.
    var (low, high) = (0, diagram.spans.count)
    while low < high {
      let middle = (low + high) / 2
      if diagram.spans[middle].end > instant { high = middle } else { low = middle + 1 }
    }
    return diagram.spans.indices.contains(low) ? diagram.spans[low] : nil
  }

  /// The actual events, drawn as the diagram up to the difference.
  var actualText: String {
    let unit = diagram.unit.wholeNanoseconds
    let start = span?.start ?? max(diagram.length, 0)
    let prefix = diagram.text.prefix(span.map { $0.column - 1 } ?? diagram.text.count)
    let rest = actual.drop { $0.instant < start }
    // As long as the diagram, so that one can stand below the other.
    return MarbleDiagram.draw(
      rest, after: prefix, from: start, to: max(diagram.length, observedUntil), unit: unit,
      dashes: Int64(min(60, max(diagram.text.count, 10))))
  }

  /// The expected and the actual event, as a sentence.
  private var sentence: String {
    let at = { (instant: Int64) in "+\(MarbleDuration.text(instant))" }
    switch (expected, found) {
    case (let expected?, let found?) where expected.nanoseconds == found.instant:
      let isAnother = expected.event == .failure && found.event == .failure
      return
        "expected \(name(expected.event)), got \(isAnother ? "another failure" : name(found.event))"
    case (let expected?, let found?) where expected.nanoseconds < found.instant:
      return
        "expected \(name(expected.event)), got nothing until \(name(found.event)) at \(at(found.instant))"
    case (let expected?, let found?):
      return
        "expected nothing until \(name(expected.event)) at \(at(expected.nanoseconds)), "
        + "got \(name(found.event))"
    case (let expected?, nil):
      let end = actual.last.flatMap { $0.event.isLast ? $0 : nil }
      guard end == nil else {
        return "expected \(name(expected.event)), but the sequence had ended"
      }
      return "expected \(name(expected.event)), got nothing up to \(at(observedUntil))"
    case (nil, let found?):
      return "expected nothing, got \(name(found.event))"
    case (nil, nil):
      return "no difference"
    }
  }

  private func name(_ event: Event) -> String {
    switch event {
    case .value(let character):
      legend.first { $0.character == character }.map { "\(character) (\($0.value))" }
        ?? "\(character)"
    case .end: "the end"
    case .failure: "a failure"
    case .cancellation: "the cancellation"
    case .start: "the beginning"
    }
  }

  /// The message of the failure.
  ///
  /// - Parameter subject: What was compared, as the beginning of a sentence.
  func message(_ subject: String) -> String {
    let excerpt = MarbleExcerpt(around: column)
    var lines = [
      "\(subject) differs from its diagram at +\(MarbleDuration.text(instant)): \(sentence).",
      "",
      "  expected  \(excerpt.part(of: diagram.text))",
      "  actual    \(excerpt.part(of: actualText))",
      "            \(excerpt.caret) +\(MarbleDuration.text(instant)), column \(column)",
      "",
    ]
    lines += legend.prefix(10).map { "  \($0.character) is \($0.value)" }
    lines.append(
      "A symbol takes \(MarbleDuration.text(diagram.unit.wholeNanoseconds)). If the actual line is "
        + "right, copy it into the test.")
    return lines.joined(separator: "\n")
  }
}
