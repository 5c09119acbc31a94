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
/// Work runs one after the other in the order in which it was handed over, each as a job of its own.
/// It runs on the main actor, whatever queue this stands for, so that it may stand for
/// `DispatchQueue.main` too. Work with a deadline is handed over when the clock has come there; equal
/// deadlines keep the order of the calls, also among other sleeps on the clock.
///
/// - The clock cannot see that a work item is cancelled: its deadline remains, and nothing runs.
/// - A queue that is released drops the work whose deadline has not come. Keep it as long as that
///   matters.
public final class VirtualDispatchQueue: DispatchScheduler, CustomStringConvertible {
  /// The name of the queue, which its tasks have in reports.
  public let label: String

  private let core: VirtualQueue

  /// Creates a queue that waits with a clock.
  ///
  /// - `label`: The name of the queue, for reports.
  /// - `clock`: The clock that the queue waits with.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
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
  /// Outside a virtual-time scope this is reported as an issue, and deadlines never come.
  ///
  /// - `label`: The name of the queue, for reports.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
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

  /// The present time: the real one at which the queue was created, and what has passed on its clock
  /// since.
  public var currentTime: DispatchTime { core.currentTime }

  /// Hands over a work item, which runs when all that was handed over before has run.
  public func async(execute item: DispatchWorkItem) { core.submit(.item(item)) }

  /// Hands over a work item when a deadline has come.
  ///
  /// With a deadline that has passed it is handed over at once.
  public func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem) {
    core.submit(.item(item), at: deadline)
  }

  /// Runs what has been handed over, and then the work, before it returns.
  ///
  /// To call it from inside the queue is a deadlock of a real queue. To call it outside the main
  /// actor, where the queue runs its work, is only possible in a virtual-time scope. Either mistake
  /// is reported as an issue at the line that created the queue, and the work is run all the same.
  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result {
    try core.sync(work)
  }

  /// Hands over work when a work item has run on any virtual queue, or has been skipped because it
  /// was cancelled.
  public func notify(after item: DispatchWorkItem, execute work: @escaping @Sendable () -> Void) {
    WorkItems.notify(after: item) { [core] in core.submit(.block(work)) }
  }

  /// Hands over a handler at a deadline, and then at a regular interval.
  ///
  /// The timer does not drift, and deadlines for which the queue was not ready are skipped. The
  /// leeway is passed to the clock, which is of no consequence in virtual time.
  public func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval, handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer {
    core.makeTimer(deadline, interval, leeway, handler)
  }
}
