import CVirtualTime

/// Tasks that wait for each other's values in a circle, so that none of them can go on.
struct Deadlock: Sendable, CustomStringConvertible {
  /// Each task waits for the next one, and the last one for the first.
  private let tasks: [(id: UInt64, place: WaitingPlace?)]

  /// The circle to which the tasks lead that a task waits for; `nil` if they do not lead to one.
  ///
  /// Cancellation does not end such a wait, so the circle stays once it is there.
  init?(from body: UnsafeRawPointer) {
    var path: [UnsafeRawPointer] = []
    var next: UnsafeRawPointer? = body
    while let task = next {
      if let start = path.firstIndex(of: task) {
        tasks = path[start...].map { (cvt_task_id($0), WaitingPlace(of: $0)) }
        return
      }
      path.append(task)
      let dependency = cvt_dependency_of(task)
      next = dependency.kind == cvt_waits_for_task ? dependency.object : nil
    }
    return nil
  }

  var description: String {
    zip(tasks, tasks.dropFirst() + tasks.prefix(1)).map { task, awaited in
      let place = task.place?.description.map { "\n    in \($0)" } ?? ""
      return "  - task \(task.id), which waits for the value of task \(awaited.id)\(place)"
    }
    .joined(separator: "\n")
  }
}
