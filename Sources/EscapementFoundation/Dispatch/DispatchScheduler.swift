public import Dispatch

/// An executor of work items: a dispatch queue or its test double.
///
/// The protocol has the methods of `DispatchQueue`, so that existing code does not change:
///
/// ```swift
/// init(queue: any DispatchScheduler = DispatchQueue.main) { … }
/// queue.asyncAfter(deadline: .now() + 1, execute: item)
/// ```
///
/// In a test, pass the `VirtualDispatchQueue` of EscapementDoubles. Apple's platforms need it, since
/// a scope cannot see their queues. On Linux, the queues of a scope are virtual by themselves, and
/// code needs no protocol.
public protocol DispatchScheduler: Sendable {
  /// The present time of the queue. For a real queue it is `DispatchTime.now()`.
  ///
  /// Deadlines that are computed from it are exact with every clock, on every platform. Deadlines
  /// that are computed from `.now()` are exact only in a virtual-time scope with virtual standard
  /// clocks.
  var currentTime: DispatchTime { get }

  /// Submits a work item, which runs after all items that were submitted before.
  func async(execute item: DispatchWorkItem)

  /// Submits a work item at a deadline.
  func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem)

  /// Runs work after all items that were submitted before, and waits for its end.
  ///
  /// A call from the queue itself is a deadlock.
  func sync<Result>(execute work: () throws -> Result) rethrows -> Result

  /// Submits work when a work item has run, or was skipped because it was cancelled.
  ///
  /// The same as `item.notify(queue:execute:)`.
  func notify(after item: DispatchWorkItem, execute work: @escaping @Sendable () -> Void)

  /// Creates a timer that submits a handler at a deadline, and then at a regular interval.
  ///
  /// Keep a reference to the timer. A timer that is released is cancelled.
  ///
  /// - Parameters:
  ///   - deadline: The first time at which the handler is submitted.
  ///   - interval: The time from one deadline to the next; `.never` for a timer that does not
  ///     repeat. If the interval is zero or negative, an issue is reported, and the timer is
  ///     cancelled.
  ///   - leeway: By how much a real queue may be late.
  ///   - handler: The closure that runs on the queue.
  func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval, handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer
}

extension DispatchScheduler {
  /// Submits work, which runs after all items that were submitted before.
  public func async(execute work: @escaping @Sendable () -> Void) {
    async(execute: DispatchWorkItem(block: work))
  }

  /// Submits work at a deadline.
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
    asyncAfter(deadline: deadline, execute: DispatchWorkItem(block: work))
  }

  /// Creates a timer that submits a handler at a deadline, and then at a regular interval, without
  /// leeway.
  public func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer {
    makeTimer(
      deadline: deadline, repeating: interval, leeway: .nanoseconds(0), handler: handler)
  }
}

/// A timer of a ``DispatchScheduler``.
///
/// It is cancelled when it is released.
public protocol DispatchTimer: AnyObject, Sendable {
  /// Whether the timer has been cancelled.
  var isCancelled: Bool { get }

  /// Ends the timer. If it is called on the queue, the handler does not run after the call.
  func cancel()
}
