import CVirtualTime

// A circle of tasks that wait for each other's values, or for their child tasks (`Deadlock`), is
// looked for whenever a scope parks. For a group, all child tasks must lead to a circle, since the
// next one that ends may let its parent go on. To look at one of them tells in most cases that
// there is none.

/// Tasks that wait for each other in a circle, so that none of them can go on.
struct Deadlock: Sendable, CustomStringConvertible {
  /// A task of the circle.
  private struct Member {
    let task: TaskDescription
    /// Whether it waits for the child tasks of a group, of which the next member is one.
    let waitsForChildren: Bool
    let place: WaitingPlace?
  }

  /// Each task waits for the next one, and the last one for the first.
  private let members: [Member]

  /// The circle to which the tasks lead that a task waits for; `nil` if they do not lead to one.
  ///
  /// Cancellation does not end such a wait, so the circle stays once it is there. A task that waits
  /// for a group goes on when one of the child tasks ends, so all of them must lead to a circle.
  private init?(from task: UnsafeRawPointer) {
    guard let waits = Self.hopelessWaits(from: task) else { return nil }
    // Each of these tasks waits for another one of them, so this path comes back to itself.
    var path: [UnsafeRawPointer] = []
    var places: [UnsafeRawPointer: Int] = [:]
    var next = task
    while places[next] == nil, let awaited = waits[next]?.first {
      places[next] = path.count
      path.append(next)
      next = awaited
    }
    guard let start = places[next] else { return nil }
    members = path[start...].map {
      Member(
        task: TaskDescription(of: $0), waitsForChildren: cvt_dependency_of($0).task == nil,
        place: WaitingPlace(of: $0))
    }
  }

  /// The circle that the body waits for, if there is one.
  static func ofBody(_ body: UnsafeRawPointer) -> Deadlock? {
    // Most bodies wait for something else, which is seen at once.
    firstMember(among: [body]).flatMap { _ in Deadlock(from: body) }
  }

  /// The first circle to which one of these tasks leads.
  static func first(among tasks: [UnsafeRawPointer]) -> Deadlock? {
    firstMember(among: tasks).flatMap { Deadlock(from: $0) }
  }

  /// A task that waits for itself, directly or not, if for each group only one child task is looked
  /// at.
  private static func firstMember(among starts: [UnsafeRawPointer]) -> UnsafeRawPointer? {
    // From which start each task was met, so that none is looked at twice.
    var met: [UnsafeRawPointer: Int] = [:]
    for (index, start) in starts.enumerated() {
      var next: UnsafeRawPointer? = start
      while let task = next {
        if let earlier = met[task] {
          if earlier == index { return task }
          break
        }
        met[task] = index
        next = tasks(awaitedBy: task, atMost: 1).first
      }
    }
    return nil
  }

  /// The tasks that a task waits for, directly or not, and what each of them waits for; `nil` if
  /// one of them waits for something else, or does not wait.
  private static func hopelessWaits(
    from task: UnsafeRawPointer
  ) -> [UnsafeRawPointer: [UnsafeRawPointer]]? {
    var waits: [UnsafeRawPointer: [UnsafeRawPointer]] = [:]
    var left = [task]
    while let task = left.popLast() {
      guard waits[task] == nil else { continue }
      let awaited = tasks(awaitedBy: task)
      if awaited.isEmpty { return nil }
      waits[task] = awaited
      left += awaited
    }
    return waits
  }

  var description: String {
    zip(members, members.dropFirst() + members.prefix(1)).map { member, next in
      let place = member.place?.description.map { "\n    in \($0)" } ?? ""
      let awaited = member.waitsForChildren ? "its child" : "the value of"
      return "  - \(member.task), which waits for \(awaited) \(next.task)\(place)"
    }
    .joined(separator: "\n")
  }
}

/// The tasks that a suspended task waits for: one whose value it awaits, or the child tasks of a
/// group.
func tasks(awaitedBy task: UnsafeRawPointer, atMost count: Int = .max) -> [UnsafeRawPointer] {
  let dependency = cvt_dependency_of(task)
  if let awaited = dependency.task { return [awaited] }
  return dependency.kind == cvt_waits_for_group ? childTasks(of: task, atMost: count) : []
}
