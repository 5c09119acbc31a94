import EscapementTesting
import Synchronization

/// The values that have arrived, on any queue, each with its time.
final class Log: Sendable {
  struct Entry: Equatable {
    let value: String
    let time: Duration
  }

  private let log = Mutex<[Entry]>([])

  var entries: [Entry] { log.withLock { $0 } }

  func append(_ value: some Sendable) {
    let time = VirtualTime.current?.now.offset ?? .seconds(-1)
    log.withLock { $0.append(Entry(value: "\(value)", time: time)) }
  }
}
