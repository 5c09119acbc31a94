import CVirtualTime

/// A task that has not ended when the body of its scope ends.
struct Leftover: Sendable, CustomStringConvertible {
  let task: TaskDescription
  /// The sleep of the task, or `nil` if it waits for something else.
  let sleep: Sleep?
  /// Where it waits, if that is to be shown and can be seen.
  var place: WaitingPlace?

  var description: String {
    let wait = sleep?.description ?? "\(task), which waits for something that is not a deadline"
    return place?.description.map { "\(wait)\n    in \($0)" } ?? wait
  }

  /// The tasks that sleep, in the order of their deadlines, then the other tasks, oldest first.
  static func list(
    _ sleeping: [Sleep], _ living: [UnsafeMutableRawPointer]
  ) -> [Leftover] {
    var all: [Leftover] = []
    var seen: Set<UInt64> = []
    func place(of task: UnsafeMutableRawPointer?) -> WaitingPlace? {
      all.count < shownItems ? task.flatMap { WaitingPlace(of: $0) } : nil
    }
    for sleep in sleeping {
      guard let task = sleep.task, seen.insert(task.id).inserted else { continue }
      all.append(Leftover(task: task, sleep: sleep, place: place(of: sleep.pointer)))
    }
    for pointer in living {
      let id = cvt_task_id(pointer)
      guard seen.insert(id).inserted else { continue }
      let task = TaskDescription(id: id, name: nil)
      all.append(Leftover(task: task, sleep: nil, place: place(of: pointer)))
    }
    return all
  }
}
