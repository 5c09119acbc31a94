/// A task that sleeps on a clock.
public struct SleepingTask<Instant: InstantProtocol>: Sendable, Hashable, CustomStringConvertible {
  /// The instant at which the sleep ends; `nil` if it is beyond the range of the clock.
  public let deadline: Instant?

  /// The instant at which the sleep began.
  public let start: Instant

  /// The name of the task; `nil` if it has none, or if the platform does not provide it.
  public let taskName: String?

  /// The number that the Swift runtime has given to the task; `nil` if the clock does not know it.
  public let taskID: UInt64?

  package init(deadline: Instant?, start: Instant, taskName: String?, taskID: UInt64? = nil) {
    self.deadline = deadline
    self.start = start
    self.taskName = taskName
    self.taskID = taskID
  }

  /// The task and its sleep, as they appear in messages.
  public var description: String {
    let end = deadline.map { "until \($0)" } ?? "for ever"
    return "\(task), asleep since \(start) \(end)"
  }

  private var task: String {
    switch (taskID, taskName) {
    case (let id?, let name?): "task \(id) “\(name)”"
    case (let id?, nil): "task \(id)"
    case (nil, let name?): "task “\(name)”"
    case (nil, nil): "a task"
    }
  }
}
