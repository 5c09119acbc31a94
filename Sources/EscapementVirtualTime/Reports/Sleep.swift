/// A sleep of a task, as reports show it.
struct Sleep: CustomStringConvertible {
  let task: TaskDescription?
  let pointer: UnsafeMutableRawPointer?
  let start: Nanoseconds
  let deadline: Nanoseconds

  var description: String {
    let name = task?.description ?? "a task"
    let end = deadline == .never ? "for ever" : "until +\(deadline.duration)"
    return "\(name), asleep since +\(start.duration) \(end)"
  }
}
