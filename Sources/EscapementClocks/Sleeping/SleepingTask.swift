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

  /// The clock on which the task sleeps; `nil` if a function that blocks its thread makes it sleep.
  public let clock: SleepClock?

  private let placeFinder: PlaceFinder

  package init(
    deadline: Instant?, start: Instant, taskName: String?, taskID: UInt64? = nil,
    clock: SleepClock? = .injected, place: (@Sendable () -> String?)? = nil
  ) {
    self.deadline = deadline
    self.start = start
    self.taskName = taskName
    self.taskID = taskID
    self.clock = clock
    placeFinder = PlaceFinder(find: place)
  }

  /// How long the sleep lasts in all; `nil` if its end is beyond the range of the clock.
  public var duration: Instant.Duration? { deadline.map { start.duration(to: $0) } }

  /// The functions and lines where the task sleeps, innermost first; `nil` if they are not known.
  ///
  /// They are known in virtual time on Linux, for the first hundred sleepers. Release builds have
  /// no lines.
  ///
  /// - Complexity: To find a line takes up to a tenth of a second, once for each place.
  public var place: String? { placeFinder.find?() }

  /// The task and its sleep, as they appear in messages.
  public var description: String {
    let end = deadline.map { "until \($0)" } ?? "for ever"
    let sleep = "\(task), asleep since \(start) \(end)"
    return place.map { "\(sleep)\n    in \($0)" } ?? sleep
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

/// How to find out where a task sleeps.
///
/// It is the same for equal sleeps, so it is not compared.
private struct PlaceFinder: Sendable, Hashable {
  let find: (@Sendable () -> String?)?

  static func == (first: Self, second: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
