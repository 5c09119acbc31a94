/// Finds the stub that answers a request, or explains why no stub does.
struct StubDiagnosis {
  /// How well a request matches a stub.
  private struct Fit {
    let id: Int
    let parameters: [String: String]?
    let complaints: [String]
    /// Greater for a stub that is more similar to the request.
    let likeness: Int
  }

  enum Result {
    case stub(id: Int, parameters: [String: String])
    case none(explanation: String)
  }

  let request: HTTPStub.Request
  let entries: [StubEntry]
  /// The body, for all matchers.
  private let body: JSONBody
  private let address: HTTPStub.Address

  init(request: HTTPStub.Request, entries: [StubEntry]) {
    self.request = request
    self.entries = entries
    body = JSONBody(request.body)
    address = request.address
  }

  /// Must not be called under a lock, because it calls the matchers, which may be closures of the test.
  func result() -> Result {
    let fits = entries.indices.filter { entries[$0].pattern != nil }.map(fit)
    let matches = fits.filter(\.complaints.isEmpty)
    guard let best = matches.max(by: { precedes($1.id, $0.id) }) else {
      return .none(explanation: explanation(closest: fits.max { $0.likeness < $1.likeness }))
    }
    let rivals = matches.filter { !precedes(best.id, $0.id) }
    guard rivals.count == 1 else { return .none(explanation: ambiguity(rivals.map(\.id))) }
    return .stub(id: best.id, parameters: best.parameters ?? [:])
  }

  private func fit(_ id: Int) -> Fit {
    let entry = entries[id]
    var complaints: [String] = []
    var likeness = 0
    let parameters = entry.pattern?.parameters(in: address)
    if parameters != nil {
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
    // A matcher may rely on the method and on the parameters of the path.
    if complaints.isEmpty {
      var known = request
      known.parameters = parameters ?? [:]
      complaints = entry.matchers.compactMap { $0.mismatch(known, body) }
      likeness -= complaints.count
    }
    if complaints.isEmpty, entry.isUsedUp {
      complaints.append(
        "All its answers are used: it was called \(times(entry.callCount)).")
    }
    return Fit(id: id, parameters: parameters, complaints: complaints, likeness: likeness)
  }

  /// Whether a stub is more specific than another one that matches as well.
  private func precedes(_ id: Int, _ other: Int) -> Bool {
    let (entry, other) = (entries[id], entries[other])
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

  private func explanation(closest: Fit?) -> String {
    guard let closest else {
      return """
        No stub answers \(request).

        The test has added no stubs. Add one: 'stub(\(request.method.sourceText), "\(request.path)") { … }'.
        """
    }
    let others = entries.indices.filter { $0 != closest.id && entries[$0].pattern != nil }
    let list =
      others.isEmpty
      ? ""
      : "\n\nThe other stubs:\n" + others.map { "- \(entries[$0].summary)" }.joined(separator: "\n")
    return """
      No stub answers \(request).

      The closest is \(entries[closest.id].summary). It does not match:
      \(closest.complaints.map { "- \($0)" }.joined(separator: "\n"))\(list)
      """
  }

  private func ambiguity(_ ids: [Int]) -> String {
    """
    Several stubs answer \(request):
    \(ids.map { "- \(entries[$0].summary)" }.joined(separator: "\n"))

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
