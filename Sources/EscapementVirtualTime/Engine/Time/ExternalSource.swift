/// Code outside a scope that may have work under way for it without a hold.
///
/// A hold needs code that knows when the work begins. Foundation, for one, does not tell that a
/// request was cancelled until its own queue comes to it. So before a scope moves time it asks.
package final class ExternalSource: Sendable {
  /// Returns when all that was under way has come back to the scope, or has opened a hold.
  let ask: @Sendable () -> Void

  package init(ask: @escaping @Sendable () -> Void) { self.ask = ask }
}

/// The external sources of a scope, and whether they are to be asked.
struct ExternalSources {
  private var all: [ObjectIdentifier: ExternalSource] = [:]
  /// Whether they have been asked since something last ran.
  private var areAsked = false

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ source: ExternalSource) {
    all[ObjectIdentifier(source)] = source
    areAsked = false
  }

  mutating func remove(_ source: ExternalSource) { all[ObjectIdentifier(source)] = nil }

  mutating func somethingRuns() { areAsked = false }

  /// Returns those to ask now, if any.
  mutating func toAsk() -> [ExternalSource]? {
    guard !areAsked, !all.isEmpty else { return nil }
    areAsked = true
    return Array(all.values)
  }
}
