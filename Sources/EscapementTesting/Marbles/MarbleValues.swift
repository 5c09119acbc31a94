/// Which value each character of a diagram stands for.
struct MarbleValues<Element> {
  /// The value of a character, if it stands for one.
  let element: (Character) -> Element?
  /// The characters of the values, in the order in which they are looked through.
  let characters: [Character]

  init(_ values: [Character: Element]) {
    element = { values[$0] }
    characters = values.keys.sorted()
  }

  /// The events of a diagram, with their values.
  ///
  /// - Throws: ``MarbleSyntaxError`` for an event that cannot happen here, and for a character
  ///   without a value.
  func events(
    of diagram: MarbleDiagram, allowing allowed: Set<MarbleDiagram.Event>
  ) throws(MarbleSyntaxError) -> [TimedMarble<Element>] {
    for character in characters where !character.isMarbleValue {
      throw MarbleSyntaxError(
        diagram.text, column: 1,
        "'\(character)' in 'values' cannot stand for a value, because it has another meaning.")
    }
    var (events, count) = ([] as [TimedMarble<Element>], 0)
    events.reserveCapacity(diagram.events.count)
    for timed in diagram.events {
      let marble: Marble<Element>
      switch timed.event {
      case .value(let character):
        guard let element = element(character) else {
          throw error(timed, in: diagram, "'\(character)' has no value. Add it to 'values'.")
        }
        marble = .value(element)
      case let event where !allowed.contains(event):
        throw error(timed, in: diagram, event.reasonForRefusal)
      case .end: marble = .end
      case .failure: marble = .failure
      case .cancellation:
        count += 1
        guard count == 1 else {
          throw error(timed, in: diagram, "The consumer can be cancelled only once.")
        }
        marble = .cancellation
      case .start: marble = .start
      }
      events.append(TimedMarble(marble: marble, instant: timed.nanoseconds))
    }
    return events
  }

  private func error(
    _ timed: MarbleDiagram.TimedEvent, in diagram: MarbleDiagram, _ reason: String
  ) -> MarbleSyntaxError {
    MarbleSyntaxError(diagram.text, column: timed.column, reason)
  }
}

extension MarbleValues where Element == String {
  /// Each character stands for the string that it is.
  static var texts: Self { Self(element: { String($0) }, characters: []) }

  private init(element: @escaping (Character) -> Element?, characters: [Character]) {
    self.element = element
    self.characters = characters
  }
}

extension MarbleValues where Element == Never {
  static var none: Self { Self([:]) }
}

/// An event of a sequence.
enum Marble<Element> {
  case value(Element)
  case end
  case failure
  case cancellation
  case start
}

/// An event of a sequence, and its time.
struct TimedMarble<Element> {
  let marble: Marble<Element>
  let instant: Int64
}

extension Marble: Sendable where Element: Sendable {}
extension TimedMarble: Sendable where Element: Sendable {}

extension MarbleDiagram.Event {
  fileprivate var reasonForRefusal: String {
    switch self {
    case .value: "A value cannot stand here."
    case .end: "The sequence cannot end here."
    case .failure: "The source cannot fail. Pass the error as 'failure'."
    case .cancellation:
      "A source does not cancel. '!' belongs in the expectation, or in 'expectIterations'."
    case .start: "'^' begins an iteration, and belongs only in 'expectIterations'."
    }
  }
}
