/// Finds the stub that answers a request, or explains why no stub does.
struct StubDiagnosis {
  /// A stub and its number.
  struct Candidate {
    let id: Int
    let entry: StubEntry
  }

  /// How well a request matches a stub.
  private struct Fit {
    let candidate: Candidate
    var parameters: [String: String] = [:]
    let complaints: [String]
    /// Greater for a stub that is more similar to the request.
    let likeness: Int
  }

  enum Result {
    case stub(Candidate, parameters: [String: String])
    case none(explanation: String)
  }

  let request: HTTPStub.Request
  let address: HTTPStub.Address
  /// The stubs whose method and path fit.
  let candidates: [Candidate]
  /// Returns all stubs, for messages.
  let all: () -> [StubEntry]

  /// Must not be called under a lock, because it calls the matchers, which may be closures of the test.
  func result() -> Result {
    let body = JSONBody(request.body)
    let fits = candidates.map { fit($0, body) }
    let matches = fits.filter(\.complaints.isEmpty)
    guard let best = matches.max(by: { precedes($1, $0) }) else {
      return .none(explanation: explanation(closest: fits.max { $0.likeness < $1.likeness }))
    }
    let rivals = matches.filter { !precedes(best, $0) }
    guard rivals.count == 1 else { return .none(explanation: ambiguity(rivals)) }
    return .stub(best.candidate, parameters: best.parameters)
  }

  /// How well a request matches a stub whose method and path fit.
  ///
  /// Only these stubs have their matchers called, which may rely on the method and on the parameters.
  private func fit(_ candidate: Candidate, _ body: JSONBody) -> Fit {
    let entry = candidate.entry
    var known = request
    known.parameters = entry.pattern?.parameters(in: address) ?? [:]
    var complaints = entry.matchers.compactMap { $0.mismatch(known, body) }
    let refusals = complaints.count
    if complaints.isEmpty, entry.isUsedUp {
      complaints.append("All its answers are used: it was called \(times(entry.callCount)).")
    }
    return Fit(
      candidate: candidate, parameters: known.parameters, complaints: complaints,
      likeness: -refusals)
  }

  /// How similar a request is to a stub whose method or path does not fit.
  private func misfit(_ candidate: Candidate) -> Fit {
    let entry = candidate.entry
    var complaints: [String] = []
    var likeness = 0
    if entry.pattern?.parameters(in: address) != nil {
      likeness += 1000
    } else {
      complaints.append("The path is '\(request.path)', not '\(entry.text)'.")
      likeness += 10 * (entry.pattern?.likeness(to: address) ?? 0)
    }
    if entry.method.matches(request.method) {
      likeness += 500
    } else {
      complaints.append("The method is \(request.method), not \(entry.method).")
    }
    return Fit(candidate: candidate, complaints: complaints, likeness: likeness)
  }

  /// Whether a stub is more specific than another one that matches as well.
  private func precedes(_ fit: Fit, _ other: Fit) -> Bool {
    let (entry, other) = (fit.candidate.entry, other.candidate.entry)
    let precedence = entry.pattern?.precedence ?? []
    let otherPrecedence = other.pattern?.precedence ?? []
    if precedence != otherPrecedence {
      return otherPrecedence.lexicographicallyPrecedes(precedence)
    }
    if entry.matchers.count != other.matchers.count {
      return entry.matchers.count > other.matchers.count
    }
    return entry.method != .any && other.method == .any
  }

  // MARK: Messages

  /// - Parameter closest: `nil` if no method and path fit.
  private func explanation(closest: Fit?) -> String {
    let stubs = all().enumerated().map { Candidate(id: $0, entry: $1) }
      .filter { $0.entry.pattern != nil }
    guard let closest = closest ?? stubs.map(misfit).max(by: { $0.likeness < $1.likeness }) else {
      return """
        No stub answers \(request).

        The test has added no stubs. Add one: 'stub(\(request.method.sourceText), "\(request.path)") { … }'.
        """
    }
    let others = stubs.filter { $0.id != closest.candidate.id }
    let lines = others.map { "- \($0.entry.summary)" }.joined(separator: "\n")
    let list = others.isEmpty ? "" : "\n\nThe other stubs:\n\(lines)"
    return """
      No stub answers \(request).

      The closest is \(closest.candidate.entry.summary). It does not match:
      \(closest.complaints.map { "- \($0)" }.joined(separator: "\n"))\(list)
      """
  }

  private func ambiguity(_ rivals: [Fit]) -> String {
    """
    Several stubs answer \(request):
    \(rivals.map { "- \($0.candidate.entry.summary)" }.joined(separator: "\n"))

    They are equally specific, so none of them has answered. Make one more specific with 'where:', or \
    remove a condition from the others.
    """
  }
}

extension HTTPStub.Method {
  /// The method as it is written in a call.
  fileprivate var sourceText: String {
    let known: [HTTPStub.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    return known.contains(self) ? ".\(rawValue.lowercased())" : "\"\(rawValue)\""
  }
}
