import _EscapementCore

/// What a table of stubs knows: the stubs, and the journal.
struct StubTableStateMachine {
  private(set) var entries: [StubEntry] = []
  private(set) var journal: [HTTPStub.Request] = []
  /// The requests of each stub.
  private(set) var calls: [[HTTPStub.Request]] = []
  /// Why no more stubs are taken.
  private(set) var closed: String?

  /// Adds a stub, and says what is wrong with it.
  mutating func add(_ entry: StubEntry) -> (id: Int, refusal: String?) {
    var entry = entry
    var refusal: String?
    if let closed {
      refusal = "The stub \(entry.description) comes too late. \(closed)"
    } else if let other = entries.first(where: { $0.demandsTheSame(as: entry) }) {
      refusal = """
        There is a stub \(other.description) already, at \(other.location.short), that demands the same.

        This one has no effect. For another answer to the next request say so at the first one, with \
        '.then { … }'; to tell the requests apart use the argument 'where:'.
        """
    }
    if refusal != nil { entry.pattern = nil }
    entries.append(entry)
    calls.append([])
    return (entries.count - 1, refusal)
  }

  mutating func change(_ id: Int, _ body: (inout StubEntry) -> Void) { body(&entries[id]) }

  /// Takes the next answer of a stub; `nil` if all are used up.
  mutating func call(_ id: Int, _ request: HTTPStub.Request) -> HTTPStub.Handler? {
    guard let handler = entries[id].call() else { return nil }
    calls[id].append(request)
    return handler
  }

  mutating func close(_ reason: String) { closed = reason }

  mutating func arrived(_ request: HTTPStub.Request) { journal.append(request) }

  /// Takes out the promises that were not kept.
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
