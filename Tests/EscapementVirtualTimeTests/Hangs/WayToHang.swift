import TestSupport
import Testing

@testable import EscapementVirtualTime

/// A way in which a test can hang, leak or stall, and what is reported of it.
struct WayToHang: Sendable, CustomTestStringConvertible {
  let name: String
  var options = VirtualTimeOptions.hanging()
  /// Parts of the message, in order: what has happened, where, and what to do.
  let message: [String]
  /// How the call ends: with this error, or with a result.
  var error: VirtualTimeError? = .limitReached
  let body: @Sendable @concurrent (VirtualTime) async throws -> Void

  /// How many ways were checked.
  ///
  /// Then the loops of a way end, since the next one needs the processor. They look at memory: a
  /// loop that took a lock, or called anything else, would not be one without an end.
  nonisolated(unsafe) static let checked: UnsafeMutablePointer<Int> = {
    let checked = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    checked.initialize(to: 0)
    return checked
  }()

  var testDescription: String { name }

  /// Runs the body in a scope, and compares what is reported.
  func check() async {
    // To find a line takes a tenth of a second. Only a line tells the user's functions from those
    // of the standard library that the compiler has put into the program.
    let needsLines = message.contains { $0.contains("()") || $0.contains("in closure") }
    await Symbols.$linesToFind.withValue(needsLines ? .max : 0) { await compare() }
  }

  private func compare() async {
    let issues = await issues {
      var thrown: (any Error)?
      do { try await withVirtualTime(options, body) } catch { thrown = error }
      if thrown as? VirtualTimeError != error { say(String(describing: thrown)) }
      #expect(thrown as? VirtualTimeError == error)
    }
    if issues.count != 1 { say("\(issues.map(\.message))") }
    #expect(issues.count == 1, "\(name): \(issues.map(\.message))")
    var rest = (issues.first?.message ?? "")[...]
    for part in message {
      let found = rest.firstRange(of: part)
      if found == nil { say("“\(part)” is missing in: \(rest)") }
      #expect(found != nil, "\(name): “\(part)” is missing in: \(rest)")
      if let found { rest = rest[found.upperBound...] }
    }
  }

  /// Begins what a process prints of a failed expectation, of which its parent is told nothing more
  /// than that it has failed.
  static let mark = "Unexpected of "

  private func say(_ text: String) { print("\(Self.mark)\(name): \(text)") }
}

extension VirtualTimeOptions {
  /// Limits that are soon reached.
  static func hanging(queuesAndThreads: QueuesAndThreads = .real) -> VirtualTimeOptions {
    VirtualTimeOptions(
      queuesAndThreads: queuesAndThreads, stallLimit: .milliseconds(20),
      holdLimit: .milliseconds(20), blockLimit: .milliseconds(100), jobLimit: 1_000,
      eventLimit: 1_000)
  }
}
