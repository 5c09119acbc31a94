import Dispatch
import _EscapementCore

/// The work items that virtual queues have run, and who is to be told of others.
///
/// One table for all queues, since an item may run on one and notify another. Items are told apart
/// by their identity, so that tests do not disturb each other.
enum WorkItems {
  typealias Listener = @Sendable () -> Void

  private struct Entry {
    weak var item: DispatchWorkItem?
    var state = WorkItemStateMachine<Listener>.pending([])
  }

  private static let table = Lock((entries: [ObjectIdentifier: Entry](), nextSweep: 256))

  /// Calls the listener when the item has run, at once if it has.
  static func notify(after item: DispatchWorkItem, _ listener: @escaping Listener) {
    update(item) { $0.notify(listener) }?()
  }

  /// The item has run, or has been skipped because it was cancelled.
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
      // Another item, that is gone, may have had the same address.
      if entry.item == nil { entry = Entry(item: item) }
      defer { table.entries[id] = entry }
      return event(&entry.state)
    }
  }
}
