import _EscapementCore

/// The state machine of a table of stubs: the stubs, and the journal of the requests.
struct StubTableStateMachine {
  private(set) var entries: [StubEntry] = []
  private(set) var journal: [HTTPStub.Request] = []
  /// The requests of each stub.
  private(set) var calls: [[HTTPStub.Request]] = []
  private var index = StubIndex()
  /// The stub with these conditions.
  private var known: [StubEntry.Conditions: Int] = [:]
  /// Why later stubs are refused; `nil` while stubs are accepted.
  private(set) var closed: String?

  /// Adds a stub, and returns why it is refused, if it is.
  mutating func add(_ entry: StubEntry) -> (id: Int, refusal: String?) {
    var entry = entry
    let conditions = entry.conditions
    var refusal: String?
    if let closed {
      refusal = "The stub \(entry.description) was added too late. \(closed)"
    } else if let other = conditions.flatMap({ known[$0] }).map({ entries[$0] }) {
      refusal = """
        The stub \(entry.description) matches the same requests as \(other.description), at \
        \(other.location.short). It has no effect.

        To give another answer to the next request, add '.then { … }' to the first stub. To distinguish \
        the requests, pass 'where:'.
        """
    }
    if refusal != nil { entry.pattern = nil }
    let id = entries.count
    entries.append(entry)
    calls.append([])
    if let pattern = entry.pattern {
      index.insert(id, entry.method, pattern)
      if let conditions { known[conditions] = id }
    }
    return (id, refusal)
  }

  /// The stubs whose method and path fit a request, whether their answers are used or not.
  func candidates(
    _ method: HTTPStub.Method, _ address: HTTPStub.Address
  ) -> [StubDiagnosis.Candidate] {
    index.ids(method, address).map { StubDiagnosis.Candidate(id: $0, entry: entries[$0]) }
  }

  mutating func change(_ id: Int, _ body: (inout StubEntry) -> Void) { body(&entries[id]) }

  /// Takes the next answer of a stub; `nil` if all are used.
  mutating func call(_ id: Int, _ request: HTTPStub.Request) -> HTTPStub.Handler? {
    guard let handler = entries[id].call() else { return nil }
    calls[id].append(request)
    return handler
  }

  mutating func close(_ reason: String) { closed = reason }

  mutating func arrived(_ request: HTTPStub.Request) { journal.append(request) }

  /// Returns a failure for each stub that was called too seldom; each failure is returned only
  /// once.
  mutating func unkeptPromises() -> [(message: String, location: SourceLocation)] {
    var promises: [(String, SourceLocation)] = []
    for id in entries.indices {
      guard let message = entries[id].unkeptPromise else { continue }
      promises.append((message, entries[id].location))
      entries[id].isOptional = true
    }
    return promises
  }
}
