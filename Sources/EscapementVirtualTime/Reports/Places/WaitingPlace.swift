import CVirtualTime

/// Where a suspended task waits: its calls of asynchronous functions that have not returned.
struct WaitingPlace: Hashable {
  /// Where the calls go on, innermost first.
  private let addresses: [UInt64]
  /// Where the task begins, if it has not begun.
  private let entryPoint: UInt64

  /// The place where a task waits that is not running; `nil` if that cannot be seen.
  init?(of task: UnsafeRawPointer) {
    entryPoint = cvt_entry_point(task)
    let capacity = 64
    addresses = [UInt64](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = cvt_waiting_frames(task, buffer.baseAddress!, capacity)
    }
    if addresses.isEmpty { return nil }
  }

  /// The function and the line where the task goes on in the user's code; `nil` if they are not known.
  var innermostCall: String? {
    // Of a task that has begun, the entry point is any number, and it has other calls.
    Symbols.$findsAllLines.withValue(true) {
      Symbols.calls(goingOnAt: addresses + [entryPoint], lines: 1).first
    }
  }

  /// Whether the task waits for a request of `URLSession`.
  var isInNetwork: Bool { addresses.contains { cvt_is_in_library($0, "FoundationNetworking") } }

  /// The functions and lines of the user's code, such as
  /// `Store.token() Store.swift:31 <- Session.start() Session.swift:18`; `nil` if none is known.
  ///
  /// - Complexity: Each address that is seen for the first time may take a tenth of a second.
  var description: String? {
    Symbols.description(of: addresses) ?? Symbols.description(of: [entryPoint])
  }
}

extension Symbols {
  // The innermost ones tell most.
  private static let shownCalls = 5
  private static let shownLines = 2

  /// The user's calls at these addresses, innermost first; `nil` if none is known.
  static func description(of addresses: [UInt64]) -> String? {
    let calls = calls(goingOnAt: addresses, lines: shownLines)
    guard !calls.isEmpty else { return nil }
    let more = calls.count > shownCalls ? ["…"] : []
    return (calls.prefix(shownCalls) + more).joined(separator: " <- ")
  }
}
