import CVirtualTime

/// A task that is left over at the end of a scope.
struct Leftover: CustomStringConvertible {
  let task: TaskDescription
  /// Its sleep; `nil` if it waits for something else.
  let sleep: SleepingTask?

  var description: String {
    sleep?.description ?? "\(task), which waits for something that is not a deadline"
  }

  /// Those that sleep, in the order of their deadlines, then the others, oldest first.
  static func list(
    _ sleeping: [SleepingTask], _ living: [UnsafeMutableRawPointer]
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
