import EscapementTesting
import _EscapementCore

/// The record of a stub: its conditions, its answers, and the number of its calls.
struct StubEntry {
  /// One of the answers of a stub, which come one after the other.
  struct Answer {
    let handler: HTTPStub.Handler
    /// The number of times it is given; `nil` for no limit.
    var limit: Int?
    var given = 0

    var isUsedUp: Bool { limit.map { given >= $0 } ?? false }
  }

  let method: HTTPStub.Method
  /// `nil` if the stub was refused, and so matches no request.
  var pattern: PathPattern?
  let matchers: [HTTPStub.Matcher]
  let location: SourceLocation
  let text: String
  private(set) var answers: [Answer]
  /// Counts calls, and resumes the tasks that wait for them.
  ///
  /// Must not be incremented under the lock.
  let calls = EventCounter()
  /// The same for cancellations.
  let cancellations = EventCounter()
  var isOptional = false

  init(
    _ method: HTTPStub.Method, _ text: String, _ pattern: PathPattern?,
    _ matchers: [HTTPStub.Matcher], _ handler: @escaping HTTPStub.Handler,
    at location: SourceLocation
  ) {
    self.method = method
    self.pattern = pattern
    self.matchers = matchers
    self.location = location
    self.text = text
    answers = [Answer(handler: handler)]
  }

  mutating func limitLastAnswer(to count: Int) { answers[answers.count - 1].limit = count }

  mutating func addAnswer(_ handler: @escaping HTTPStub.Handler) {
    if answers[answers.count - 1].limit == nil { limitLastAnswer(to: 1) }
    answers.append(Answer(handler: handler))
  }

  /// The number of requests.
  ///
  /// The table keeps the requests themselves, because entries are copied often.
  var callCount: Int { answers.reduce(0) { $0 + $1.given } }

  var isUsedUp: Bool { answers.allSatisfy(\.isUsedUp) }

  /// Takes the next answer; `nil` if all are used up.
  mutating func call() -> HTTPStub.Handler? {
    guard let index = answers.firstIndex(where: { !$0.isUsedUp }) else { return nil }
    answers[index].given += 1
    return answers[index].handler
  }

  /// The requests that a stub matches.
  struct Conditions: Hashable {
    let method: HTTPStub.Method
    let shape: PathPattern.Shape
    let matchers: Set<String>
  }

  /// Equal for stubs that match the same requests; `nil` if a closure or an error is among the
  /// conditions.
  var conditions: Conditions? {
    let identities = matchers.compactMap(\.identity)
    guard let pattern, identities.count == matchers.count else { return nil }
    return Conditions(method: method, shape: pattern.shape, matchers: Set(identities))
  }

  // MARK: Messages

  var description: String { "\(method) \(text)" }

  /// The stub, its line, and the number of its calls.
  var summary: String {
    "\(description), at \(location.short), called \(times(callCount))"
  }

  /// The failure of a stub that was called too seldom; `nil` if it was called often enough.
  var unkeptPromise: String? {
    guard pattern != nil, !isOptional else { return nil }
    let missing = answers.reduce(0) { $0 + max(0, ($1.limit ?? 1) - $1.given) }
    guard missing > 0 else { return nil }
    let promised = callCount + missing
    let what =
      callCount == 0
      ? "was never called"
      : "was called \(times(callCount)) instead of \(promised) times"
    return """
      The stub \(description) \(what).

      The code under test may not have made the request, or may have made a different one: look at the \
      journal, 'requests'. If the stub need not be called, add '.optional()'.
      """
  }
}

/// A number of times, in words.
func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
