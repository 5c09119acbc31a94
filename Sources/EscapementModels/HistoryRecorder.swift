import _EscapementCore

/// Records a history while clients make their calls.
public final class HistoryRecorder<Call: Sendable, Answer: Sendable>: Sendable {
  private let state = Lock(History<Call, Answer>())

  /// Makes a recorder without calls.
  public init() {}

  /// The history so far.
  public var history: History<Call, Answer> { state.withLock { $0 } }

  /// Makes a call for a client, and records it with its answer.
  ///
  /// A call that throws, or does not return, has no answer: it may have happened, at any time since
  /// it began, or not.
  public func record(
    _ call: Call, by client: String, _ perform: (Call) async throws -> Answer
  ) async rethrows -> Answer {
    let number = state.withLock { $0.begin(call, by: client) }
    let answer = try await perform(call)
    state.withLock { $0.end(number, with: answer) }
    return answer
  }
}
