import EscapementVirtualTime
import _EscapementCore

/// What a test has seen happen, in order.
final class Log<Entry: Sendable>: Sendable {
  private let state = Lock<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }
  var count: Int { state.withLock(\.count) }

  func append(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

extension Log<String> {
  /// Notes something together with the virtual time.
  func note(_ entry: String) {
    append("\(entry) at \(VirtualTime.current.map { $0.now.offset.description } ?? "real time")")
  }
}

extension Log<Duration> {
  /// Notes the virtual time.
  func noteTime() { append(VirtualTime.current!.now.offset) }
}
