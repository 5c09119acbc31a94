import CVirtualTime

/// A task that has not ended when the body of its scope ends.
struct Leftover: CustomStringConvertible {
  let task: TaskDescription
  /// The sleep of the task, or `nil` if it waits for something else.
  let sleep: Sleep?

  var description: String {
    sleep?.description ?? "\(task), which waits for something that is not a deadline"
  }

  /// The tasks that sleep, in the order of their deadlines, then the other tasks, oldest first.
  static func list(
    _ sleeping: [Sleep], _ living: [UnsafeMutableRawPointer]
  ) -> [Leftover] {
    var all: [Leftover] = []
    var seen: Set<UInt64> = []
    for sleep in sleeping {
      guard let task = sleep.task, seen.insert(task.id).inserted else { continue }
      all.append(Leftover(task: task, sleep: sleep))
    }
    for pointer in living {
      let id = cvt_task_id(pointer)
      guard seen.insert(id).inserted else { continue }
      all.append(Leftover(task: TaskDescription(id: id, name: nil), sleep: nil))
    }
    return all
  }
}
