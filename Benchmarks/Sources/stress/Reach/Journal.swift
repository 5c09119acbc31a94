import EscapementVirtualTime
import Synchronization

/// What happened, with the virtual time in milliseconds.
final class Journal: Sendable {
  private let marks = Mutex<[String]>([])

  var entries: [String] { marks.withLock { $0 } }

  /// Rounded, since a `Date` or a run loop does not tell each nanosecond.
  func mark(_ entry: String) {
    let time = VirtualTime.current.map { Int(($0.now.offset / .milliseconds(1)).rounded()) } ?? -1
    marks.withLock { $0.append("\(entry)@\(time)") }
  }
}
