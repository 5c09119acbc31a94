public import Dispatch
import IssueReporting
import _EscapementCore

extension DispatchQueue: DispatchScheduler {
  /// The present time.
  public var currentTime: DispatchTime { .now() }

  /// Hands over work when a work item has run, or has been skipped because it was cancelled.
  public func notify(after item: DispatchWorkItem, execute work: @escaping @Sendable () -> Void) {
    item.notify(queue: self, execute: work)
  }

  /// Makes and activates a timer source that has this queue as its target.
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

/// A timer source that lives as long as this.
private final class SourceTimer: DispatchTimer, @unchecked Sendable {
  // Sendable because a dispatch source may be cancelled from everywhere.
  private let source: any DispatchSourceTimer

  init(_ source: any DispatchSourceTimer) { self.source = source }

  deinit { source.cancel() }

  var isCancelled: Bool { source.isCancelled }

  func cancel() { source.cancel() }
}
