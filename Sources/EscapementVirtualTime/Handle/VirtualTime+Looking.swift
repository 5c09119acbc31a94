import CVirtualTime
import _EscapementCore

extension VirtualTime {
  /// A task that sleeps.
  public struct Sleeper: Sendable, Hashable, CustomStringConvertible {
    /// When it wakes; `nil` if that is beyond the range of the clock.
    public let deadline: Instant?
    /// Since when it sleeps.
    public let start: Instant
    /// The task's name, if it has one.
    public let taskName: String?
    /// The number that the Swift runtime has given to the task.
    public let taskID: UInt64?

    /// The task and its sleep, as they appear in messages.
    public var description: String {
      let task = taskID.map { TaskDescription(id: $0, name: taskName).description } ?? "somebody"
      return "\(task), asleep since \(start) " + (deadline.map { "until \($0)" } ?? "for ever")
    }
  }

  /// The earliest deadline in the scope, if somebody sleeps.
  ///
  /// - Complexity: O(1).
  public var nextDeadline: Instant? { scope.state.withLock(\.nextDeadline).map { Instant($0) } }

  /// Those that sleep in the scope, in the order in which they will wake.
  ///
  /// These are the sleeps on this clock and, where they are virtual, on the standard clocks.
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
  /// Always `false` for the scope's own code, which is running.
  public var isIdle: Bool {
    scope.state.withLock(\.isIdle) && cvt_underway(scope.number) == 0
  }

  /// Whether the standard clocks and `Date()` are virtual inside scopes on this platform.
  ///
  /// Where it is `false`, a scope still captures tasks, and injected clocks are exact.
  public static var virtualizesStandardClocks: Bool { Platform.virtualizesStandardClocks }
}
