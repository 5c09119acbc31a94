/// A task that sleeps, as a report shows it.
struct SleepingTask: CustomStringConvertible {
  let task: TaskDescription?
  let pointer: UnsafeMutableRawPointer?
  let start: Nanoseconds
  let deadline: Nanoseconds

  var description: String {
    let who = task?.description ?? "somebody"
    let end = deadline == .never ? "for ever" : "until +\(deadline.duration)"
    return "\(who), asleep since +\(start.duration) \(end)"
  }
}
