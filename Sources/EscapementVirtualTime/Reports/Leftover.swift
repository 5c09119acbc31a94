import CVirtualTime

/// A task that has not ended when the body of its scope ends.
struct Leftover: Sendable, CustomStringConvertible {
  let task: TaskDescription
  /// The sleep of the task, or `nil` if it waits for something else.
  let sleep: Sleep?
  /// What else it waits for.
  var awaited: Awaited = .unknown
  /// Where it waits, if that is to be shown and can be seen.
  var place: WaitingPlace?

  /// Whether time alone lets the task go on.
  ///
  /// Any other task waits for an event, and does nothing until
  /// other code brings that about.
  var goesOnByItself: Bool { sleep.map { $0.deadline != .never } ?? false }

  var description: String {
    let wait = sleep?.description ?? "\(task), which waits for \(awaited)"
    return place?.description.map { "\(wait)\n    in \($0)" } ?? wait
  }

  /// The tasks that wait for events, oldest first, then those that sleep, in the order of their deadlines.
  ///
  /// So periodic tasks do not hide one that is stuck, when only the first are shown.
  static func list(
    _ sleeping: [Sleep], _ living: [UnsafeMutableRawPointer]
  ) -> [Leftover] {
    var all: [Leftover] = []
    var seen = Set(sleeping.compactMap(\.task?.id))
    func place(of task: UnsafeMutableRawPointer?) -> WaitingPlace? {
      all.count < shownItems ? task.flatMap { WaitingPlace(of: $0) } : nil
    }
    for pointer in living {
      let id = cvt_task_id(pointer)
      guard seen.insert(id).inserted else { continue }
      let task = TaskDescription(id: id, name: nil)
      all.append(
        Leftover(
          task: task, sleep: nil, awaited: Awaited(of: pointer), place: place(of: pointer)))
    }
    var listed: Set<UInt64> = []
    for sleep in sleeping {
      guard let task = sleep.task, listed.insert(task.id).inserted else { continue }
      all.append(Leftover(task: task, sleep: sleep, place: place(of: sleep.pointer)))
    }
    return all
  }
}
