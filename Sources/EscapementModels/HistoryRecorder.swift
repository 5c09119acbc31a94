import _EscapementCore

/// Records a history while clients make their calls.
public final class HistoryRecorder<Call: Sendable, Answer: Sendable>: Sendable {
  private let state = Lock(History<Call, Answer>())

  /// Makes a recorder without calls.
  public init() {}

  /// The history so far.
  public var history: History<Call, Answer> { state.withLock { $0 } }

  /// A call of a client begins.
  ///
  /// An operation inside of a lock or a limiter is two calls: one that enters, which ends when the
  /// operation begins, and one that leaves.
  ///
  /// - Returns: The number of the call, for ``end(_:with:)``.
  public func begin(_ call: Call, by client: String) -> Int {
    state.withLock { $0.begin(call, by: client) }
  }

  /// The call with a number has an answer.
  ///
  /// - Precondition: The call has no answer yet.
  public func end(_ number: Int, with answer: Answer) {
    state.withLock { $0.end(number, with: answer) }
  }

  /// Makes a call for a client, and records it with its answer.
  ///
  /// A call that throws, or does not return, has no answer: it may have happened, at any time since
  /// it began, or not.
  public func record(
    _ call: Call, by client: String, _ perform: (Call) async throws -> Answer
  ) async rethrows -> Answer {
    let number = begin(call, by: client)
    let answer = try await perform(call)
    end(number, with: answer)
    return answer
  }
}
