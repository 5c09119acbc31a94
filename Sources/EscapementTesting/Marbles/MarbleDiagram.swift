/// A text that draws what a sequence does in the course of time.
///
/// ```
/// a--b 9ms (cd)-|
/// ```
///
/// Each symbol takes one *unit* of time, and the instant of an event is the sum of what stands
/// before it:
///
/// | text | meaning |
/// | --- | --- |
/// | `-` | one unit of time |
/// | `a` | a value; takes one unit. Any character is a value that has no other meaning |
/// | `\|` | the end of the sequence |
/// | `#` | a failure, which ends the sequence |
/// | `!` | the cancellation of the consumer |
/// | `^` | the beginning of an iteration, for ``MarbleSequence/expectIterations(_:fileID:filePath:line:column:)`` |
/// | `(ab)` | events in one instant; the group takes one unit, however many there are |
/// | ` 9ms ` | a duration, between blanks: a number and `ns`, `us`, `µs`, `ms`, `s`, `m`, `h` or `d` |
/// | `(a 2us b)` | events less than one unit apart: in a group, only durations take time |
/// | blank | takes no time |
///
/// A value takes its unit also before a duration, as in RxJS: with a unit of 1 ms, the `b` of `a
/// 9ms b` comes at 10 ms.
///
/// Functions such as ``MarbleSequence`` take the text, and report one that is not valid. This type
/// is for tools that parse it themselves.
public struct MarbleDiagram: Hashable, Sendable, CustomStringConvertible {
  /// An event at an instant.
  public enum Event: Hashable, Sendable {
    /// A value, by its character.
    case value(Character)
    /// The end of the sequence: `|`.
    case end
    /// A failure, which ends the sequence: `#`.
    case failure
    /// The cancellation of the consumer: `!`.
    case cancellation
    /// The beginning of an iteration: `^`.
    case start
  }

  /// An event and when it happens.
  public struct TimedEvent: Hashable, Sendable {
    /// The event.
    public let event: Event
    /// The time since the beginning of the diagram.
    public var offset: Duration { .nanoseconds(nanoseconds) }
    /// The position of the event's character in the text, from 1.
    public let column: Int

    let nanoseconds: Int64
  }

  /// The text.
  public let text: String

  /// How long a symbol takes.
  public let unit: Duration

  /// The events, in order.
  public let events: [TimedEvent]

  /// How long the whole diagram takes.
  public var duration: Duration { .nanoseconds(length) }

  /// The parts that take time, in order.
  let spans: [Span]
  let length: Int64

  /// A part of the text that takes time: a dash, a duration, an event or a group.
  struct Span: Hashable, Sendable {
    let column: Int
    let start: Int64
    let end: Int64
  }

  /// Parses a diagram.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - unit: How long a symbol takes: a positive number of whole nanoseconds.
  /// - Throws: ``MarbleSyntaxError``, which names the column.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(_ text: String, unit: Duration = .milliseconds(1)) throws(MarbleSyntaxError) {
    var parser = try MarbleParser(text, unit: unit)
    try parser.parse()
    self.text = text
    self.unit = unit
    events = parser.events
    spans = parser.spans
    length = parser.instant
  }

  /// The text.
  public var description: String { text }
}

extension MarbleDiagram.Event {
  /// The character that stands for the event.
  var symbol: Character {
    switch self {
    case .value(let character): character
    case .end: "|"
    case .failure: "#"
    case .cancellation: "!"
    case .start: "^"
    }
  }

  init(_ character: Character) {
    self =
      switch character {
      case "|": .end
      case "#": .failure
      case "!": .cancellation
      case "^": .start
      default: .value(character)
      }
  }

  /// Whether no other event comes after this one.
  var isLast: Bool { self == .end || self == .failure }
}

extension Character {
  /// Whether the character can stand for a value in a diagram.
  var isMarbleValue: Bool { !looksReserved && !joinsOthers }

  /// Whether the character has a meaning in diagrams, or looks as if it had: `!` with a mark above
  /// it.
  var looksReserved: Bool {
    guard let first = unicodeScalars.first else { return true }
    return first.properties.isWhitespace || "-()|#!^".unicodeScalars.contains(first)
  }

  /// Whether the character becomes a part of the one before it, such as an accent alone.
  var joinsOthers: Bool { !isWhitespace && " \(self)".count == 1 }
}
