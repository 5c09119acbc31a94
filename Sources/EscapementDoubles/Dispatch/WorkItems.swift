import Dispatch
import _EscapementCore

/// The work items of all virtual queues: which have run, and which listeners wait for the others.
///
/// All queues share one table, because an item may run on one queue and notify another. The key is
/// the identity of an item, so tests do not disturb each other.
enum WorkItems {
  typealias Listener = @Sendable () -> Void

  private struct Entry {
    weak var item: DispatchWorkItem?
    var state = WorkItemStateMachine<Listener>.pending([])
  }

  private static let table = Lock((entries: [ObjectIdentifier: Entry](), nextSweep: 256))

  /// Calls the listener after the item has run; at once if it has run already.
  static func notify(after item: DispatchWorkItem, _ listener: @escaping Listener) {
    update(item) { $0.notify(listener) }?()
  }

  /// The item has run, or was skipped because it was cancelled.
  static func finish(_ item: DispatchWorkItem) {
    for listener in update(item, { $0.finish() }) { listener() }
  }

  private static func update<Result>(
    _ item: DispatchWorkItem, _ event: (inout WorkItemStateMachine<Listener>) -> Result
  ) -> Result {
    table.withLock { table in
      if table.entries.count >= table.nextSweep {
        table.entries = table.entries.filter { $0.value.item != nil }
        table.nextSweep = max(256, 2 * table.entries.count)
      }
      let id = ObjectIdentifier(item)
      var entry = table.entries[id] ?? Entry(item: item)
      // An item that was released may have had the same address.
      if entry.item == nil { entry = Entry(item: item) }
      defer { table.entries[id] = entry }
      return event(&entry.state)
    }
  }
}
