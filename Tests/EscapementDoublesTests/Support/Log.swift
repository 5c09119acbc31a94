import EscapementVirtualTime
import TestSupport

extension Log<String> {
  /// Notes something, and when, in milliseconds since the scope began.
  func note(_ entry: String) {
    let now = VirtualTime.current.map { "\($0.now.offset / .milliseconds(1)) " } ?? ""
    append(now + entry)
  }
}
