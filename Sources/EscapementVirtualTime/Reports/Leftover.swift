import CVirtualTime

/// A task that is left over at the end of a scope.
struct Leftover: Hashable, CustomStringConvertible {
  let task: TaskDescription
  /// Since when it sleeps, and until when; `nil` if it waits for something else.
  let sleep: (from: Nanoseconds, to: Nanoseconds)?

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.task.id == rhs.task.id }
  func hash(into hasher: inout Hasher) { hasher.combine(task.id) }

  var description: String {
    guard let sleep else { return "\(task), which waits for something that is not a deadline" }
    return "\(task), \(describeSleep(from: sleep.from, to: sleep.to))"
  }

  /// Those that sleep, in the order of their deadlines, then the others, oldest first.
  static func list(
    _ sleeping: [(deadline: Nanoseconds, element: SleepTimer)],
    _ living: [UnsafeMutableRawPointer]
  ) -> [Leftover] {
    var all: [Leftover] = []
    var seen: Set<UInt64> = []
    for (deadline, timer) in sleeping {
      guard let task = timer.taskDescription, seen.insert(task.id).inserted else { continue }
      all.append(Leftover(task: task, sleep: (timer.armedAt, deadline)))
    }
    for pointer in living {
      let id = cvt_task_id(pointer)
      guard seen.insert(id).inserted else { continue }
      all.append(Leftover(task: TaskDescription(id: id, name: nil), sleep: nil))
    }
    return all
  }
}

/// A sleep as a report shows it.
func describeSleep(from start: Nanoseconds, to end: Nanoseconds) -> String {
  end == .never
    ? "asleep since +\(start.duration) for ever"
    : "asleep since +\(start.duration) until +\(end.duration)"
}
