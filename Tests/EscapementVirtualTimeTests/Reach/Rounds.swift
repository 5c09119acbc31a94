import EscapementVirtualTime
import TestSupport
import Testing

/// Runs a scenario in many scopes, one after the other, and expects the same log each time.
///
/// - Returns: The log, each entry with its virtual time.
func sameLog(
  rounds: Int = 50, sourceLocation: Testing.SourceLocation = #_sourceLocation,
  of scenario: @escaping @Sendable (Log<String>) async throws -> Void
) async throws -> [String] {
  var first: [String]?
  for round in 1...rounds {
    let log = Log<String>()
    try await withVirtualTime(.reaching) { _ in try await scenario(log) }
    guard let first else {
      first = log.entries
      continue
    }
    try #require(
      log.entries == first, "round \(round) differs from the first", sourceLocation: sourceLocation)
  }
  return first ?? []
}

extension Log<String> {
  /// Notes something together with the virtual time in milliseconds.
  func mark(_ entry: String) {
    let offset = VirtualTime.current.map { $0.now.offset / .milliseconds(1) } ?? -1
    append("\(entry)@\(Int(offset))")
  }
}

extension VirtualTimeOptions {
  /// Queues and threads are virtual.
  static var reaching: Self { Self(queuesAndThreads: .virtual) }
}
