import EscapementVirtualTime
import _EscapementCore

/// A sequence that does in virtual time what a marble diagram draws.
///
/// ```swift
/// let keys = MarbleSequence("a-b---c|")
/// try await expectMarbles("---b---(c|)", from: keys.debounce(for: .milliseconds(1)))
/// ```
///
/// ``MarbleDiagram`` describes the text. Each iteration is separate, and its diagram begins when
/// the iterator is made. It needs a virtual-time scope: the trait `.virtualTime`, or
/// `withVirtualTime`.
///
/// If the consumer is slow, elements wait for it, or come later: see ``MarbleDemand``. If its task
/// is cancelled, the iteration ends at once with `nil`, as that of an `AsyncStream` does.
///
/// A diagram that is not valid fails the test where the sequence is created. The sequence then ends
/// at once.
public struct MarbleSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  let steps: [TimedMarble<Element>]
  let failure: Failure?
  let unit: Duration
  let demand: MarbleDemand
  let location: SourceLocation
  let log = MarbleIterationLog()

  private init(
    _ text: String, _ values: MarbleValues<Element>, _ failure: Failure?,
    _ demand: MarbleDemand, _ unit: Duration, _ location: SourceLocation
  ) {
    do throws(MarbleSyntaxError) {
      let diagram = try MarbleDiagram(text, unit: unit)
      steps = try values.events(of: diagram, allowing: failure == nil ? [.end] : [.end, .failure])
    } catch {
      location.reportIssue(error.description)
      steps = [TimedMarble(marble: .end, instant: 0)]
    }
    self.failure = failure
    self.unit = unit
    self.demand = demand
    self.location = location
  }

  /// How many elements the consumers have asked for, in all iterations.
  ///
  /// The call that gets the end or a failure, or that is cancelled, counts as well.
  public var demandCount: Int { log.demandCount }
}

/// When a ``MarbleSequence`` produces its elements.
public enum MarbleDemand: Sendable {
  /// At the instants of the diagram. Elements that the consumer has not asked for wait in a buffer.
  ///
  /// So do an `AsyncStream` and other sources that do not know their consumer.
  case buffered

  /// When the consumer asks for them: the time of the diagram stands while it does not wait for an
  /// element.
  ///
  /// So do sequences whose `next()` does the work. A slow consumer delays all that follows.
  case onDemand
}

extension MarbleSequence where Failure == Never {
  /// Creates a sequence of values that never fails.
  ///
  /// - `diagram`: What the sequence does: see ``MarbleDiagram``.
  /// - `values`: The value that each character stands for.
  /// - `demand`: What happens if the consumer is slow.
  /// - `unit`: How long a symbol takes.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    _ diagram: String, values: [Character: Element], demand: MarbleDemand = .buffered,
    unit: Duration = .milliseconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      diagram, MarbleValues(values), nil, demand, unit,
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a sequence of strings of one character that never fails.
  ///
  /// - `diagram`: What the sequence does: see ``MarbleDiagram``.
  /// - `demand`: What happens if the consumer is slow.
  /// - `unit`: How long a symbol takes.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    _ diagram: String, demand: MarbleDemand = .buffered, unit: Duration = .milliseconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where Element == String {
    self.init(
      diagram, .texts, nil, demand, unit,
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension MarbleSequence {
  /// Creates a sequence of values that may fail.
  ///
  /// - `diagram`: What the sequence does: see ``MarbleDiagram``.
  /// - `values`: The value that each character stands for.
  /// - `failure`: The error that `#` stands for.
  /// - `demand`: What happens if the consumer is slow.
  /// - `unit`: How long a symbol takes.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    _ diagram: String, values: [Character: Element], failure: Failure,
    demand: MarbleDemand = .buffered, unit: Duration = .milliseconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      diagram, MarbleValues(values), failure, demand, unit,
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a sequence of strings of one character that may fail.
  ///
  /// - `diagram`: What the sequence does: see ``MarbleDiagram``.
  /// - `failure`: The error that `#` stands for.
  /// - `demand`: What happens if the consumer is slow.
  /// - `unit`: How long a symbol takes.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    _ diagram: String, failure: Failure, demand: MarbleDemand = .buffered,
    unit: Duration = .milliseconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where Element == String {
    self.init(
      diagram, .texts, failure, demand, unit,
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
