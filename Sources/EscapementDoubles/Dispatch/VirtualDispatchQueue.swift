public import Dispatch
import Escapement
import EscapementClocks
public import EscapementFoundation
import _EscapementCore

/// A serial dispatch queue in virtual time.
///
/// ```swift
/// let banner = Banner(queue: VirtualDispatchQueue())  // in a test with the trait .virtualTime
/// banner.show("Saved")
/// try await Task.sleep(for: .seconds(3))
/// #expect(banner.text == nil)
/// ```
///
/// It is for Apple's platforms, where dispatch queues run in real time, and for a `TestClock`. On
/// Linux, the queues of a scope are virtual by themselves.
///
/// The queue runs its work serially, in the order of submission. The work always runs on the main
/// actor, so that the queue can replace `DispatchQueue.main` as well. Work with a deadline is
/// submitted when the clock reaches the deadline. Equal deadlines keep the order of the calls, also
/// relative to other sleeps on the clock.
///
/// - The clock does not notice that a work item is cancelled: time still stops at its deadline, but
///   nothing runs.
/// - When the queue is released, it drops the work whose deadline is still ahead. Keep a reference
///   for as long as this work matters.
public final class VirtualDispatchQueue: DispatchScheduler, CustomStringConvertible {
  /// The name of the queue.
  ///
  /// Its tasks have this name in reports.
  public let label: String

  private let core: VirtualQueue

  /// Creates a queue that waits with a clock.
  ///
  /// - `label`: The name of the queue, for reports.
  /// - `clock`: The clock that the queue waits with.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    label: String = "VirtualDispatchQueue", clock: some Clock<Duration>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.label = label
    core = VirtualQueue(
      label, AnyClock(clock),
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a queue that waits with the virtual time of the caller.
  ///
  /// Outside a virtual-time scope this fails the test, and work with a deadline never runs.
  ///
  /// - `label`: The name of the queue, for reports.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    label: String = "VirtualDispatchQueue",
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.label = label
    let location = SourceLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    core = VirtualQueue(label, .ofScope(for: "VirtualDispatchQueue", location), location)
  }

  deinit { core.cancelAll() }

  /// The label.
  public var description: String { label }

  /// The current time: the real time at which the queue was created, plus the time that has passed
  /// on its clock since then.
  public var currentTime: DispatchTime { core.currentTime }

  /// Submits a work item, which runs after all work that was submitted before.
  public func async(execute item: DispatchWorkItem) { core.submit(.item(item)) }

  /// Submits a work item at a deadline.
  ///
  /// If the deadline has passed, the item is submitted at once.
  public func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem) {
    core.submit(.item(item), at: deadline)
  }

  /// Runs the work that was submitted before, then runs `work`, and returns.
  ///
  /// Two mistakes fail the test at the line that created the queue: a call from inside the queue,
  /// which deadlocks a real queue, and a call outside both the main actor and a virtual-time scope.
  /// In both cases `work` runs nevertheless.
  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result {
    try core.sync(work)
  }

  /// Submits work after a work item has run on any virtual queue, or was skipped because it was
  /// cancelled.
  public func notify(after item: DispatchWorkItem, execute work: @escaping @Sendable () -> Void) {
    WorkItems.notify(after: item) { [core] in core.submit(.block(work)) }
  }

  /// Submits a handler at a deadline, and then at a regular interval.
  ///
  /// The timer does not drift. It skips deadlines that pass while the queue is busy. The leeway is
  /// passed to the clock as a tolerance, which has no effect in virtual time.
  public func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval, handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer {
    core.makeTimer(deadline, interval, leeway, handler)
  }
}
