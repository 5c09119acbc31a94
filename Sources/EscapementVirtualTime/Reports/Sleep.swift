import EscapementClocks
import _EscapementCore

/// A sleep of a task, as reports show it.
struct Sleep: Sendable {
  let task: TaskDescription?
  /// The clock, unless a function blocks the thread.
  let clock: SleepClock?
  // Used only while the scope, which retains the task, knows that it sleeps.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer?
  let token: TimerToken
  let start: Nanoseconds
  let deadline: Nanoseconds

  /// The activity of the task.
  var wait: String {
    let end = deadline == .never ? "for ever" : "until +\(deadline.duration)"
    return "asleep since +\(start.duration) \(end)"
  }
}
