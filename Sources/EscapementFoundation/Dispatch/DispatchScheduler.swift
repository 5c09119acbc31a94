public import Dispatch

/// What work is handed to, so that it runs elsewhere or later: a dispatch queue, or the double of
/// one.
///
/// It has the methods of `DispatchQueue`, so that the code that waits stays as it is:
///
/// ```swift
/// init(queue: any DispatchScheduler = DispatchQueue.main) { … }
/// queue.asyncAfter(deadline: .now() + 1, execute: item)
/// ```
///
/// In a test hand in the `VirtualDispatchQueue` of EscapementDoubles.
public protocol DispatchScheduler: Sendable {
  /// The present time of the queue; the same as `DispatchTime.now()` for a real one.
  ///
  /// Deadlines that are computed from it are exact on every clock and platform; those that are
  /// computed from `.now()` in a virtual-time scope where the standard clocks are virtual.
  var currentTime: DispatchTime { get }

  /// Hands over a work item, which runs when all that was handed over before has run.
  func async(execute item: DispatchWorkItem)

  /// Hands over a work item when a deadline has come.
  func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem)

  /// Runs work when all that was handed over before has run, and waits for it.
  ///
  /// To call it from inside the queue is a deadlock.
  func sync<Result>(execute work: () throws -> Result) rethrows -> Result

  /// Hands over work when a work item has run, or has been skipped because it was cancelled.
  ///
  /// The same as `item.notify(queue:execute:)`.
  func notify(after item: DispatchWorkItem, execute work: @escaping @Sendable () -> Void)

  /// Hands over a handler at a deadline, and then at a regular interval.
  ///
  /// Keep the timer: one that is released is cancelled.
  ///
  /// - Parameters:
  ///   - deadline: When the handler is handed over first.
  ///   - interval: The time from one deadline to the next; `.never` for a timer that does not
  ///     repeat. One that is zero or negative is reported as an issue, and the timer is cancelled
  ///     from the beginning.
  ///   - leeway: By how much a real queue may be late.
  ///   - handler: What runs on the queue.
  func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval, handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer
}

extension DispatchScheduler {
  /// Hands over work, which runs when all that was handed over before has run.
  public func async(execute work: @escaping @Sendable () -> Void) {
    async(execute: DispatchWorkItem(block: work))
  }

  /// Hands over work when a deadline has come.
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
    asyncAfter(deadline: deadline, execute: DispatchWorkItem(block: work))
  }

  /// Hands over a handler at a deadline, and then at a regular interval, without leeway.
  public func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer {
    makeTimer(
      deadline: deadline, repeating: interval, leeway: .nanoseconds(0), handler: handler)
  }
}

/// A timer of a ``DispatchScheduler``; it is cancelled when it is released.
public protocol DispatchTimer: AnyObject, Sendable {
  /// Whether the timer has been cancelled.
  var isCancelled: Bool { get }

  /// Ends the timer; when it is called on the queue, the handler does not run any more.
  func cancel()
}
