import EscapementVirtualTime
import _EscapementCore

/// Fails the test if a sequence does not do in virtual time what a marble diagram draws.
///
/// ```swift
/// let keys = MarbleSequence("a-b---c|")
/// try await expectMarbles("---b---(c|)", from: keys.debounce(for: .milliseconds(1)))
/// ```
///
/// ``MarbleDiagram`` describes the text. The diagram begins when the function is called. A task on
/// the caller's actor consumes the sequence, and asks for the next element at once, or after
/// `pause`.
///
/// If the diagram ends with `|` or `#`, the function returns at this instant. Otherwise it returns
/// at the end of the diagram, and what happens from then on is not expected and not checked. The
/// task is cancelled then.
///
/// `!` cancels the task: at its instant, when all other work of this instant is done. What follows
/// in the diagram is how the sequence reacts. So `a-(!|)` ends at once when it is cancelled.
///
/// A failure shows what was expected and what has happened, one below the other, with a mark at the
/// first difference. Values are compared, not characters.
///
/// The function needs a virtual-time scope. In manual mode it moves time itself.
///
/// - `diagram`: What the sequence does.
/// - `sequence`: The sequence. It is iterated once.
/// - `values`: The value that each character stands for.
/// - `failure`: The error that `#` stands for. Errors are the same if they are equal or, if they
///   cannot be compared, of one type and with the same description.
/// - `unit`: How long a symbol takes.
/// - `pause`: How long the consumer takes for each element before it asks for the next.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; do not pass it.
/// - Returns: Whether the sequence does what is expected. If not, the test has failed.
/// - Throws: `CancellationError` if the calling task is cancelled.
@discardableResult
public func expectMarbles<Elements: AsyncSequence & SendableMetatype>(
  _ diagram: String, from sequence: Elements, values: [Character: Elements.Element],
  failure: any Error = MarbleError(), unit: Duration = .milliseconds(1), pause: Duration = .zero,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Bool where Elements.Element: Equatable & Sendable {
  try await MarbleExpectation(
    values: MarbleValues(values), failure: failure, pause: pause,
    location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  ).check(diagram, unit: unit, sequence, isolation: isolation)
}

/// Fails the test if a sequence of strings does not do in virtual time what a marble diagram draws.
///
/// Each character of the diagram stands for the string that it is. Otherwise this is
/// ``expectMarbles(_:from:values:failure:unit:pause:fileID:filePath:line:column:isolation:)``.
///
/// - `diagram`: What the sequence does.
/// - `sequence`: The sequence. It is iterated once.
/// - `failure`: The error that `#` stands for.
/// - `unit`: How long a symbol takes.
/// - `pause`: How long the consumer takes for each element before it asks for the next.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; do not pass it.
/// - Returns: Whether the sequence does what is expected. If not, the test has failed.
/// - Throws: `CancellationError` if the calling task is cancelled.
@discardableResult
public func expectMarbles<Elements: AsyncSequence & SendableMetatype>(
  _ diagram: String, from sequence: Elements,
  failure: any Error = MarbleError(), unit: Duration = .milliseconds(1), pause: Duration = .zero,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Bool where Elements.Element == String {
  try await MarbleExpectation(
    values: .texts, failure: failure, pause: pause,
    location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  ).check(diagram, unit: unit, sequence, isolation: isolation)
}
