import CVirtualTime

/// The place where a suspended task waits: its calls of asynchronous functions that have not
/// returned.
struct WaitingPlace: Hashable {
  /// The addresses at which the calls go on, innermost first.
  private let addresses: [UInt64]
  /// Where the task begins, if it has not begun: the first of them that is the user's.
  private let entryPoints: [UInt64]

  /// The place where a task waits that is not running; `nil` if that cannot be seen.
  init?(of task: UnsafeRawPointer) {
    entryPoints = [UInt64](unsafeUninitializedCapacity: 4) { buffer, count in
      count = cvt_entry_points(task, buffer.baseAddress!, 4)
    }
    let capacity = 64
    addresses = [UInt64](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = cvt_waiting_frames(task, buffer.baseAddress!, capacity)
    }
    if addresses.isEmpty { return nil }
  }

  /// The functions and lines where the task waits in the user's code, with the caller, since the
  /// innermost one may be a test double; `nil` if they are not known.
  var innermostCalls: String? {
    // Of a task that has begun, the entry point is any number, and it has other calls.
    let calls = Symbols.calls(goingOnAt: addresses, lines: 2).prefix(2)
    return calls.isEmpty ? entryPoint : calls.joined(separator: " <- ")
  }

  /// The user's function in which the task begins, without its line: that of an entry point is not
  /// known.
  var outermostFunction: String? {
    let call = Symbols.calls(goingOnAt: addresses, lines: 0).last ?? entryPoint
    // The line is there if a report has looked for it.
    return call.map { $0.replacing(#/ \S+\.swift:\d+$/#, with: "") }
  }

  /// Whether the task is in a call that is in no other package.
  var isUsers: Bool { Symbols.areUsers(addresses) }

  /// Looks for the functions of many places at once, which takes less time.
  static func learn(_ places: [WaitingPlace]) {
    _ = Symbols.calls(goingOnAt: places.flatMap(\.addresses), lines: 0)
  }

  /// Whether the task waits for a request of `URLSession`.
  var isInNetwork: Bool { addresses.contains { cvt_is_in_library($0, "FoundationNetworking") } }

  /// Whether the task waits for the next element of an `AsyncStream` or an `AsyncThrowingStream`.
  var isInStream: Bool { StreamWaits.contain(addresses) }

  /// The first `count` addresses; `nil` if there are fewer.
  func innermost(_ count: Int) -> [UInt64]? {
    addresses.count < count ? nil : Array(addresses.prefix(count))
  }

  /// The functions and lines of the user's code, such as
  /// `Store.token() Store.swift:31 <- Session.start() Session.swift:18`; `nil` if none is known.
  ///
  /// - Complexity: Each address that is seen for the first time may take a tenth of a second.
  var description: String? { description(lines: Symbols.shownLines) }

  /// The same, with the lines of so many calls.
  func description(lines: Int) -> String? {
    Symbols.description(of: addresses, lines: lines) ?? entryPoint
  }

  /// The address at which the task begins.
  private var entryPoint: String? {
    entryPoints.lazy.compactMap { Symbols.description(of: [$0]) ?? Symbols.closure(calledAt: $0) }
      .first
  }
}

extension Symbols {
  // The innermost ones tell most, and the outermost one where the task was made.
  private static let shownCalls = 5
  fileprivate static let shownLines = 2

  /// The user's calls at these addresses, innermost first; `nil` if none is known.
  static func description(of addresses: [UInt64], lines: Int = shownLines) -> String? {
    let calls = calls(goingOnAt: addresses, lines: lines)
    guard !calls.isEmpty else { return nil }
    let shown =
      calls.count > shownCalls ? calls.prefix(shownCalls - 1) + ["…"] + calls.suffix(1) : calls[...]
    return shown.joined(separator: " <- ")
  }
}
