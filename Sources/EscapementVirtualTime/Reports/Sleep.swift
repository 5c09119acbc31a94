/// A sleep of a task, as reports show it.
struct Sleep: Sendable, CustomStringConvertible {
  let task: TaskDescription?
  // Used only while the scope, which retains the task, knows that it sleeps.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer?
  let start: Nanoseconds
  let deadline: Nanoseconds

  var description: String {
    let name = task?.description ?? "a task"
    let end = deadline == .never ? "for ever" : "until +\(deadline.duration)"
    return "\(name), asleep since +\(start.duration) \(end)"
  }
}
