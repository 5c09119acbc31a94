import _EscapementCore

extension VirtualTime {
  /// A sleeping task.
  public struct Sleeper: Sendable, Hashable, CustomStringConvertible {
    /// When the task wakes, or `nil` if that is beyond the range of the clock.
    public let deadline: Instant?
    /// When the task fell asleep.
    public let start: Instant
    /// The name of the task, if it has one.
    public let taskName: String?
    /// The number of the task in the Swift runtime.
    public let taskID: UInt64?

    /// The task and its sleep, as they appear in messages.
    public var description: String {
      let task = taskID.map { TaskDescription(id: $0, name: taskName).description } ?? "a task"
      return "\(task), asleep since \(start) " + (deadline.map { "until \($0)" } ?? "for ever")
    }
  }

  /// The earliest deadline in the scope, or `nil` if no task sleeps.
  ///
  /// - Complexity: O(1).
  public var nextDeadline: Instant? { scope.state.withLock(\.nextDeadline).map { Instant($0) } }

  /// The sleeping tasks of the scope, in the order in which they will wake.
  ///
  /// They sleep on this clock or, where the standard clocks are virtual, on a standard clock.
  ///
  /// - Complexity: O(n log n).
  public var sleepers: [Sleeper] {
    scope.state.withLock(\.sleepers).map { sleep in
      Sleeper(
        deadline: sleep.deadline == .never ? nil : Instant(sleep.deadline),
        start: Instant(sleep.start), taskName: sleep.task?.name, taskID: sleep.task?.id)
    }
  }

  /// Whether no job of the scope is ready or running, and no hold is open.
  ///
  /// Code of the scope always reads `false`, because that code is running.
  public var isIdle: Bool { scope.state.withLock(\.isIdle) }

  /// Whether the standard clocks and `Date()` are virtual inside scopes on this platform.
  ///
  /// Where this is `false`, a scope still runs its tasks, and injected clocks are exact.
  public static var virtualizesStandardClocks: Bool { Platform.virtualizesStandardClocks }
}
