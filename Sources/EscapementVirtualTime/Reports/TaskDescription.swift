import CVirtualTime

/// A task, as reports show it.
struct TaskDescription: Hashable, Sendable, CustomStringConvertible {
  let id: UInt64
  let name: String?

  var description: String { name.map { "task \(id) “\($0)”" } ?? "task \(id)" }

  /// The task that the current thread runs.
  static var current: TaskDescription? {
    cvt_current_task().map {
      TaskDescription(
        id: cvt_task_id($0), name: cvt_current_task_name().map(String.init(cString:)))
    }
  }
}
