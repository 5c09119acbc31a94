/// Calls of several clients, with their answers, in the order in which they began and ended.
///
/// Make one by hand, or from the log of a real system. A ``HistoryRecorder`` makes one while a test
/// runs.
public struct History<Call: Sendable, Answer: Sendable>: Sendable {
  /// A call, from its beginning to its end.
  public struct Entry: Sendable {
    /// The name of the client, which makes one call after the other.
    public let client: String
    /// The function that was called, with its arguments.
    public let call: Call
    /// The answer; `nil` if there was none.
    ///
    /// Then the call may have happened, at any time since its beginning, or not.
    public internal(set) var answer: Answer?
    /// The place of the beginning among all beginnings and ends, from 0 on.
    public let beginning: Int
    /// That of the end; `nil` if there was no answer.
    public internal(set) var end: Int?
  }

  /// All calls, in the order in which they began.
  public private(set) var entries: [Entry] = []
  private var events = 0

  /// Makes a history without calls.
  public init() {}

  init(_ entries: [Entry]) {
    self.entries = entries
    events = entries.lazy.map { max($0.beginning, $0.end ?? 0) &+ 1 }.max() ?? 0
  }

  /// A call of a client begins.
  ///
  /// - Returns: The number of the call, for ``end(_:with:)``.
  public mutating func begin(_ call: Call, by client: String) -> Int {
    entries.append(Entry(client: client, call: call, answer: nil, beginning: events, end: nil))
    events += 1
    return entries.count - 1
  }

  /// The call with a number has an answer.
  ///
  /// - Precondition: The call has no answer yet.
  public mutating func end(_ number: Int, with answer: Answer) {
    precondition(entries[number].end == nil, "A call has one answer.")
    entries[number].answer = answer
    entries[number].end = events
    events += 1
  }
}
