import Synchronization

/// The events of a test, in order.
final class Log<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  /// Adds an entry, and returns how many there are with it.
  @discardableResult func append(_ entry: Entry) -> Int {
    state.withLock {
      $0.append(entry)
      return $0.count
    }
  }

  var entries: [Entry] { state.withLock { $0 } }
  var count: Int { entries.count }
}
