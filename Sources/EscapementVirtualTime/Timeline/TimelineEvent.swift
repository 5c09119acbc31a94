/// A step of a scope at an instant.
struct TimelineEvent: Sendable {
  enum Kind: UInt8, Sendable, CaseIterable {
    /// A task was created by another one.
    case created
    /// A task can run; another one has made it ready, or none of the scope.
    case ready
    /// A task runs on an actor, or on none.
    case ran
    /// A task sleeps until a deadline.
    case slept
    /// The sleep of a task ends at its deadline.
    case woke
    /// The sleep of a task is cancelled.
    case sleepCancelled
    /// A task stops time for real work.
    case holdOpened
    case holdClosed
    /// A task moves time by hand.
    case moved
    /// The body has ended.
    case bodyEnded
    /// Something happens to a host of a simulated network.
    case ofHost
    /// A task records a failure.
    case failed
    /// The scope reports a failure.
    case reported
  }

  let instant: Nanoseconds
  /// The number of the task, or 0.
  let task: UInt64
  /// The number of the other task, of the actor, of the event of a host or of the failure, or the
  /// deadline.
  let other: UInt64
  let kind: Kind
  /// The place where the task waited, as an index from 1 into the places, or 0.
  let place: UInt32
}

extension TimelineEvent {
  /// The actors that a task can run on, as numbers; others than these have the next ones.
  enum Actor {
    static let none: UInt64 = 0
    static let main: UInt64 = 1
  }
}
