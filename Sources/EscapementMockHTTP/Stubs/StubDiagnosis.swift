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
    /// The conditions that the request does not meet.
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

  /// Must not be called under a lock, because it calls the matchers, which may be closures of the
  /// test.
  func result() -> Result {
    let parts = RequestParts(request)
    let fits = candidates.map { fit($0, parts) }
    let matches = fits.filter(\.complaints.isEmpty)
    guard let best = matches.max(by: { precedes($1, $0) }) else {
      return .none(explanation: explanation(closest: fits.max { $0.likeness < $1.likeness }))
    }
    let rivals = matches.filter { !precedes(best, $0) }
    guard rivals.count == 1 else { return .none(explanation: ambiguity(rivals)) }
    if best.candidate.entry.isUsedUp { return .none(explanation: explanation(closest: best)) }
    return .stub(best.candidate, parameters: best.parameters)
  }

  /// How well a request matches a stub whose method and path fit.
  ///
  /// Only these stubs have their matchers called, which may rely on the method and on the
  /// parameters.
  private func fit(_ candidate: Candidate, _ parts: RequestParts) -> Fit {
    let entry = candidate.entry
    var known = request
    known.parameters = entry.pattern?.parameters(in: address) ?? [:]
    let complaints = entry.matchers.compactMap { $0.mismatch(known, parts) }
    return Fit(
      candidate: candidate, parameters: known.parameters, complaints: complaints,
      likeness: -complaints.count)
  }

  /// How similar a request is to a stub whose method or path does not fit.
  private func misfit(_ candidate: Candidate) -> Fit {
    let entry = candidate.entry
    var complaints: [String] = []
    var likeness = 0
    if entry.pattern?.parameters(in: address) != nil {
      likeness += 1000
    } else if let pattern = entry.pattern {
      complaints += mismatches(of: pattern)
      likeness += 10 * pattern.likeness(to: address)
    }
    if entry.method.matches(request.method) {
      likeness += 500
    } else {
      complaints.append("The method is \(request.method), not \(entry.method).")
    }
    return Fit(candidate: candidate, complaints: complaints, likeness: likeness)
  }

  /// Why an address does not match a pattern.
  private func mismatches(of pattern: PathPattern) -> [String] {
    var complaints: [String] = []
    if !pattern.isServer(of: address) {
      let expected =
        if case .named(let server) = pattern.server { "'\(server)'" } else {
          "one of http or https"
        }
      complaints.append("The server is '\(address.origin)', not \(expected).")
    }
    if pattern.parameters(in: address.segments) == nil {
      complaints.append("The path is '\(request.path)', not '\(pattern.path)'.")
    }
    return complaints
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
    let reason =
      closest.complaints.isEmpty
      ? "It matches, but all its answers are used."
      : "It does not match:\n\(lines(closest.complaints))"
    return """
      No stub answers \(request).

      The closest is \(closest.candidate.entry.summary). \(reason)\
      \(list(of: stubs.filter { $0.id != closest.candidate.id }))
      """
  }

  /// Lists the stubs that are not the closest one, or as many of them as can be read.
  private func list(of others: [Candidate]) -> String {
    guard !others.isEmpty else { return "" }
    let maximum = 20
    let rest = others.count > maximum ? "\n- and \(others.count - maximum) more" : ""
    return "\n\nThe other stubs:\n\(lines(others.prefix(maximum).map(\.entry.summary)))\(rest)"
  }

  private func lines(_ texts: [String]) -> String {
    texts.map { "- \($0)" }.joined(separator: "\n")
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
