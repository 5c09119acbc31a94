import EscapementTesting
import _EscapementCore

/// A stub as its table knows it: what it demands, what it answers, and how often it was called.
struct StubEntry {
  /// One of the answers of a stub, which come one after the other.
  struct Answer {
    let handler: HTTPStub.Handler
    /// How often it is given; `nil` for ever.
    var limit: Int?
    var given = 0

    var isUsedUp: Bool { limit.map { given >= $0 } ?? false }
  }

  let method: HTTPStub.Method
  /// `nil` if the stub was refused, and answers nothing.
  var pattern: PathPattern?
  let matchers: [HTTPStub.Matcher]
  let location: SourceLocation
  let text: String
  private(set) var answers: [Answer]
  /// Calls and cancellations, for those who wait for them; to be told when the lock is free.
  let calls = EventCounter()
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

  /// The requests themselves are with the table, since entries are copied for each request.
  var callCount: Int { answers.reduce(0) { $0 + $1.given } }

  var isUsedUp: Bool { answers.allSatisfy(\.isUsedUp) }

  /// Takes the next answer; `nil` if all are used up.
  mutating func call() -> HTTPStub.Handler? {
    guard let index = answers.firstIndex(where: { !$0.isUsedUp }) else { return nil }
    answers[index].given += 1
    return answers[index].handler
  }

  /// Whether it can only be told from another by asking their closures, if at all.
  func demandsTheSame(as other: StubEntry) -> Bool {
    guard let pattern, let otherPattern = other.pattern else { return false }
    let identities = matchers.map(\.identity)
    return method == other.method && pattern.shape == otherPattern.shape
      && !identities.contains(nil) && Set(identities) == Set(other.matchers.map(\.identity))
  }

  // MARK: Telling

  var description: String { "\(method) \(text)" }

  /// The stub, where it was made, and how often it was called.
  var summary: String {
    "\(description), at \(location.short), called \(times(callCount))"
  }

  /// Why the stub has not had all its calls, if so.
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

      The code under test has not made the request, or another one: see the journal, 'requests'. A \
      stub that need not be called is made with '.optional()'.
      """
  }
}

/// How often, in words.
func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
