import EscapementVirtualTime
import TestSupport

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
