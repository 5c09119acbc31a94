import EscapementVirtualTime
import _EscapementCore

/// Fails the test if a sequence does anything within a time: produces an element, ends or fails.
///
/// ```swift
/// try await expectNothing(from: alarms, for: .seconds(3600))
/// ```
///
/// The last instant is not part of the time: an element after exactly one hour is not within the
/// hour. A task on the caller's actor waits for the first element. It is cancelled at the end,
/// which ends an `AsyncStream`.
///
/// The function needs a virtual-time scope. In manual mode it moves time itself.
///
/// - `sequence`: The sequence.
/// - `duration`: The time in which nothing happens; must be positive.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; do not pass it.
/// - Returns: Whether nothing happened. If something did, the test has failed.
/// - Throws: `CancellationError` if the calling task is cancelled.
@discardableResult
public func expectNothing<Elements: AsyncSequence & SendableMetatype>(
  from sequence: Elements, for duration: Duration,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Bool where Elements.Element: Sendable {
  try await Silence(
    duration: duration,
    location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  ).expect(isolation: isolation) { observation in
    observation.consume(sequence, pausing: .zero, isolation: isolation)
  }
}

/// Fails the test if an iterator does anything within a time: produces an element, ends or fails.
///
/// It is for a loop by hand, in which elements have been taken before. The call of `next()` is
/// cancelled at the end. Many sequences end then, as an `AsyncStream` does, so this is the last
/// expectation of such an iterator. Otherwise this is
/// ``expectNothing(from:for:fileID:filePath:line:column:isolation:)-(Elements,_,_,_,_,_,_)``.
///
/// - `iterator`: The iterator.
/// - `duration`: The time in which nothing happens; must be positive.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; do not pass it.
/// - Returns: Whether nothing happened. If something did, the test has failed.
/// - Throws: `CancellationError` if the calling task is cancelled.
@discardableResult
public func expectNothing<Iterator: AsyncIteratorProtocol & SendableMetatype>(
  from iterator: inout Iterator, for duration: Duration,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Bool where Iterator.Element: Sendable {
  let rest = iterator
  return try await Silence(
    duration: duration,
    location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  ).expect(isolation: isolation) { observation in
    observation.consume(Rest(iterator: rest), pausing: .zero, isolation: isolation)
  }
}

/// The rest of an iteration.
private struct Rest<Iterator: AsyncIteratorProtocol>: AsyncSequence {
  let iterator: Iterator

  func makeAsyncIterator() -> Iterator { iterator }
}

/// A time in which a sequence does nothing.
private struct Silence {
  let duration: Duration
  let location: SourceLocation

  func expect<Element: Sendable>(
    isolation: isolated (any Actor)?,
    _ consume: (MarbleObservation<Element>) -> Task<Void, Never>
  ) async throws -> Bool {
    guard let time = MarbleTime() else {
      location.reportIssue(MarbleTime.missing("'expectNothing'"))
      return false
    }
    let length = duration.nanosecondsRoundedUp
    guard length > 0, length <= time.reachable(length) else {
      let wanted =
        length > 0
        ? "a duration within virtual time, which ends after 292 years" : "a positive duration"
      location.reportIssue(
        """
        'expectNothing' needs \(wanted) (got \(duration)).

        The sequence was not iterated. The duration may be the result of a wrong subtraction.
        """)
      return false
    }
    let observation = MarbleObservation<Element>(time, limit: 1)
    let task = consume(observation)
    defer { task.cancel() }
    try await time.wait(until: length - 1)
    guard let entry = observation.entries.first else {
      task.cancel()
      try await time.wait(until: length)
      return true
    }
    let event =
      switch entry.observed {
      case .value(let element): "produced \(String(reflecting: element))"
      case .failure(let error): "failed with \(String(reflecting: error))"
      case .end, .cancellation: "ended"
      }
    location.reportIssue(
      """
      Nothing was expected from the sequence for \(MarbleDuration.text(length)), but it \(event) after \
      \(MarbleDuration.text(entry.instant)).

      If this is right, expect it first, for example with 'expectMarbles'.
      """)
    return false
  }
}
