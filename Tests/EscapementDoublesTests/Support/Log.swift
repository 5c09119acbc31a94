import EscapementVirtualTime
import _EscapementCore

/// What happened, and when, in whole milliseconds since the scope began.
final class Log: Sendable {
  private let lines = Lock<[String]>([])

  func callAsFunction(_ line: String) {
    let now = VirtualTime.current.map { "\($0.now.offset / .milliseconds(1)) " } ?? ""
    lines.withLock { $0.append(now + line) }
  }

  var all: [String] { lines.withLock { $0 } }
}
