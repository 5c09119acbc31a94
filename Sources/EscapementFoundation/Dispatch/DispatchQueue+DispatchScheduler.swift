public import Dispatch
import IssueReporting
import _EscapementCore

extension DispatchQueue: DispatchScheduler {
  /// The present time: `DispatchTime.now()`.
  public var currentTime: DispatchTime { .now() }

  /// Submits work when a work item has run, or was skipped because it was cancelled.
  public func notify(after item: DispatchWorkItem, execute work: @escaping @Sendable () -> Void) {
    item.notify(queue: self, execute: work)
  }

  /// Creates and activates a timer source on this queue.
  public func makeTimer(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval, handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer {
    let source = DispatchSource.makeTimerSource(queue: self)
    let timer = SourceTimer(source)
    if let refusal = interval.refusalToRepeat {
      reportIssue("\(refusal) This timer is cancelled.")
      source.activate()
      timer.cancel()
      return timer
    }
    source.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    source.setEventHandler(handler: handler)
    source.activate()
    return timer
  }
}

/// A timer that cancels its source when it is released.
private final class SourceTimer: DispatchTimer, @unchecked Sendable {
  // Sendable because any thread may cancel a dispatch source.
  private let source: any DispatchSourceTimer

  init(_ source: any DispatchSourceTimer) { self.source = source }

  deinit { source.cancel() }

  var isCancelled: Bool { source.isCancelled }

  func cancel() { source.cancel() }
}
