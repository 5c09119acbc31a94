extension MarbleComparison {
  /// Compares a diagram to what has been observed, and returns the first difference, if there is
  /// one.
  ///
  /// - Complexity: O(*n*), and for a failure O(*n* + *m*) with *m* different values.
  static func difference<Element: Equatable>(
    _ diagram: MarbleDiagram, _ expected: [TimedMarble<Element>], failure: any Error,
    values: MarbleValues<Element>, actual: [MarbleObservation<Element>.Entry], until end: Int64
  ) -> MarbleComparison? {
    let common = zip(expected, actual).prefix { expected, actual in
      guard expected.instant == actual.instant else { return false }
      switch (expected.marble, actual.observed) {
      case (.value(let one), .value(let other)): return one == other
      case (.end, .end), (.cancellation, .cancellation): return true
      case (.failure, .failure(let error)): return areSame(error, failure)
      default: return false
      }
    }
    let index = common.count
    guard index < expected.count || index < actual.count else { return nil }
    // To find the character of a value takes long. The message shows no more than this.
    let shown = actual.prefix(index + MarbleExcerpt.reach + 10)
    var namer = MarbleNamer(
      values: values, diagram: diagram, failure: failure, shown: shown.dropFirst(index))
    let drawn = shown.enumerated().map { number, entry in
      let event: MarbleDiagram.Event =
        switch entry.observed {
        case .value(let element):
          number < index
            ? diagram.events[number].event
            : .value(namer.character(of: element))
        case .end: .end
        case .cancellation: .cancellation
        case .failure(let error): namer.failure(error, differs: number >= index)
        }
      return (event, entry.instant)
    }
    return MarbleComparison(
      diagram: diagram, actual: drawn, index: index, legend: namer.legend, observedUntil: end)
  }
}

/// Gives a character to each value that has been observed.
private struct MarbleNamer<Element: Equatable> {
  private(set) var legend: [(character: Character, value: String)] = []

  private let values: MarbleValues<Element>
  private let expectedFailure: any Error
  private var unused: [Character]
  private var named: [(element: Element, character: Character)] = []

  /// - Parameter shown: What is to get characters.
  init(
    values: MarbleValues<Element>, diagram: MarbleDiagram, failure: any Error,
    shown: some Sequence<MarbleObservation<Element>.Entry>
  ) {
    self.values = values
    expectedFailure = failure
    let used = Set(values.characters)
      .union(
        diagram.events.compactMap { if case .value(let value) = $0.event { value } else { nil } }
      )
      .union(
        shown.compactMap { entry in
          if case .value(let element) = entry.observed {
            Self.symbol(of: element, values)
          } else {
            nil
          }
        })
    unused = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".filter { !used.contains($0) }.reversed()
  }

  /// The character that a string is.
  private static func symbol(of element: Element, _ values: MarbleValues<Element>) -> Character? {
    guard let text = element as? String, text.count == 1, let character = text.first,
      character.isMarbleValue, values.element(character) == element
    else { return nil }
    return character
  }

  mutating func character(of element: Element) -> Character {
    if let character = Self.symbol(of: element, values) { return character }
    if let known = values.characters.first(where: { values.element($0) == element }) {
      return known
    }
    if let named = named.first(where: { $0.element == element }) { return named.character }
    guard let character = unused.popLast() else { return "?" }
    named.append((element, character))
    legend.append((character, String(reflecting: element)))
    return character
  }

  mutating func failure(_ error: any Error, differs: Bool) -> MarbleDiagram.Event {
    if differs, !areSame(error, expectedFailure) {
      legend.append(
        ("#", "\(String(reflecting: error)), and not \(String(reflecting: expectedFailure))"))
    }
    return .failure
  }
}
