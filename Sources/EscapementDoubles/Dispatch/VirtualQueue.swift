import Dispatch
import EscapementClocks
import EscapementFoundation
import EscapementTesting
import EscapementVirtualTime
import Foundation
import _EscapementCore

/// The part of a virtual queue that its tasks refer to, so that they do not keep the queue alive.
final class VirtualQueue: Sendable {
  enum Work {
    case item(DispatchWorkItem)
    case block(@Sendable () -> Void)
  }

  private struct State {
    var machine = VirtualDispatchQueueStateMachine<Work>()
    var delayed: [Int: (work: Work, alarm: Alarm?)] = [:]
    var lastID = 0
  }

  private let label: String
  private let clock: AnyClock<Duration>
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let start: UInt64
  private let state = Lock(State())

  init(_ label: String, _ clock: AnyClock<Duration>, _ location: SourceLocation) {
    self.label = label
    self.clock = clock
    self.location = location
    start = DispatchTime.now().uptimeNanoseconds
  }

  // MARK: - Time

  var currentTime: DispatchTime {
    let (seconds, attoseconds) = clock.now.offset.components
    let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !nanoseconds.overflow, nanoseconds.partialValue >= 0 else { return .distantFuture }
    let elapsed = UInt64(nanoseconds.partialValue) + UInt64(attoseconds / 1_000_000_000)
    let (sum, overflow) = start.addingReportingOverflow(elapsed)
    return overflow ? .distantFuture : DispatchTime(uptimeNanoseconds: sum)
  }

  /// The instant of a deadline; the current instant if the deadline has passed.
  private func instant(of deadline: DispatchTime) -> AnyClock<Duration>.Instant {
    let (deadline, now) = (deadline.uptimeNanoseconds, currentTime.uptimeNanoseconds)
    let delay = deadline > now ? deadline - now : 0
    return clock.now.advanced(
      by: .seconds(Int64(delay / 1_000_000_000)) + .nanoseconds(Int64(delay % 1_000_000_000)))
  }

  // MARK: - Running

  func submit(_ work: Work) {
    state.withLock { $0.machine.submit(work) }
    Task(name: label) { @MainActor in runNext() }
  }

  private func runNext() {
    guard let work = state.withLock({ $0.machine.begin() }) else { return }
    switch work {
    case .block(let block):
      block()
      state.withLock { $0.machine.ended() }
    case .item(let item):
      // A cancelled item does nothing.
      item.perform()
      state.withLock { $0.machine.ended() }
      WorkItems.finish(item)
    }
  }

  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard VirtualTime.current != nil || MainQueueMark.isCurrent else {
      report(
        """
        'sync' of the queue '\(label)' was called outside the main actor and outside a virtual-time \
        scope. The work has run, but possibly at the same time as other work of the queue.

        A virtual queue runs its work on the main actor. Call 'sync' there, or in a virtual-time scope.
        """)
      return try work()
    }
    while state.withLock({ !$0.machine.isRunning && $0.machine.hasWork }) { runNext() }
    guard state.withLock({ $0.machine.beginSync() }) else {
      report(
        """
        'sync' of the queue '\(label)' was called from inside the queue. A real queue would deadlock. \
        The work has run nevertheless.

        Call the work directly, or submit it with 'async'.
        """)
      return try work()
    }
    defer { state.withLock { $0.machine.ended() } }
    return try work()
  }

  // MARK: - Waiting

  func submit(_ work: Work, at deadline: DispatchTime) {
    let id = state.withLock { state in
      state.lastID += 1
      state.delayed[state.lastID] = (work, nil)
      return state.lastID
    }
    let alarm = Alarm(label, clock: clock, deadline: instant(of: deadline)) { [self] in
      guard let work = state.withLock({ $0.delayed.removeValue(forKey: id)?.work }) else {
        return nil
      }
      state.withLock { $0.machine.submit(work) }
      runNext()
      return nil
    } failure: { [self] error in
      _ = state.withLock { $0.delayed.removeValue(forKey: id) }
      report(error)
    }
    state.withLock { $0.delayed[id]?.alarm = alarm }
  }

  func makeTimer(
    _ deadline: DispatchTime, _ interval: DispatchTimeInterval, _ leeway: DispatchTimeInterval,
    _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchTimer {
    let timer = VirtualDispatchTimer()
    if let refusal = interval.refusalToRepeat {
      report(
        "A timer of the queue '\(label)' has an invalid interval. \(refusal) The timer is cancelled."
      )
      timer.cancel()
      return timer
    }
    let first = instant(of: deadline)
    let machine = Lock(VirtualTimerStateMachine(first: first, interval: interval.duration))
    timer.start(
      Alarm(label, clock: clock, deadline: first, tolerance: leeway.duration) {
        [self, weak timer] in
        guard let timer, !timer.isCancelled else { return nil }
        state.withLock {
          $0.machine.submit(.block { [weak timer] in if timer?.isCancelled == false { handler() } })
        }
        runNext()
        let (now, isValid) = (clock.now, !timer.isCancelled)
        return machine.withLock { $0.fired(at: now, isValid: isValid) }
      } failure: { [self] error in
        report(error)
      })
    return timer
  }

  /// Drops the work whose deadline is still ahead.
  ///
  /// Timers live as long as their handles.
  func cancelAll() {
    for (_, alarm) in state.withLock({ $0.delayed.values }) { alarm?.cancel() }
  }

  private func report(_ message: String) { owner.report(message, at: location) }

  private func report(_ error: any Error) {
    report(
      """
      Work with a deadline was submitted to the queue '\(label)', but cannot run: \(error)

      The virtual time of its clock may have ended: an object or a task may use the queue after the end \
      of the test that created it. Release the queue, or cancel the task, before the test ends.
      """)
  }
}

/// A timer of a virtual queue.
private final class VirtualDispatchTimer: DispatchTimer {
  private let state = Lock((isCancelled: false, alarm: Alarm?.none))

  deinit { cancel() }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func start(_ alarm: Alarm) {
    let isCancelled = state.withLock { state in
      state.alarm = alarm
      return state.isCancelled
    }
    if isCancelled { alarm.cancel() }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      return state.alarm.take()
    }?.cancel()
  }
}

/// Tells whether the caller runs on the main queue.
///
/// On Linux the main queue may leave the main thread.
private enum MainQueueMark {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil || Thread.isMainThread }
}
