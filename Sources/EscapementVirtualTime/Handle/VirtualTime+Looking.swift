import CVirtualTime
public import EscapementClocks
import _EscapementCore

extension VirtualTime {
  /// The earliest deadline in the scope, or `nil` if no task sleeps.
  ///
  /// - Complexity: O(1).
  public var nextDeadline: Instant? {
    scope.state.withLock({ $0.time.sleepers.nextDeadline }).map { Instant($0) }
  }

  /// The sleeping tasks of the scope, in the order in which they will wake.
  ///
  /// They sleep on this clock or, where the standard clocks are virtual, on a standard clock.
  ///
  /// - Complexity: O(n log n).
  public var sleepers: [SleepingTask<Instant>] {
    let sleeps = scope.state.withLock({ $0.time.sleepers.all })
    return sleeps.enumerated().map { index, sleep -> SleepingTask<Instant> in
      let place = index < Self.shownPlaces ? sleep.pointer.flatMap { WaitingPlace(of: $0) } : nil
      return SleepingTask(
        deadline: sleep.deadline == .never ? nil : Instant(sleep.deadline),
        start: Instant(sleep.start), taskName: sleep.task?.name, taskID: sleep.task?.id,
        clock: sleep.clock, place: { place?.description })
    }
  }

  private static let shownPlaces = 100

  /// Whether no job of the scope is ready or running, and no hold is open.
  ///
  /// Code of the scope always reads `false`, because that code is running.
  public var isIdle: Bool {
    scope.state.withLock({ $0.isIdle }) && cvt_underway(scope.number) == 0
  }

  /// Whether time moves only when code of the scope moves it.
  package var isManual: Bool { scope.options.mode == .manual }

  /// Whether queues, threads and sockets that this task uses belong to its scope.
  package static var reachesThisTask: Bool { current?.scope.reaches == true && !Reach.isHeld }

  /// Whether the standard clocks and `Date()` are virtual inside scopes on this platform.
  ///
  /// Where this is `false`, a scope still runs its tasks, and injected clocks are exact.
  public static var virtualizesStandardClocks: Bool { Platform.virtualizesStandardClocks }

  /// Whether dispatch queues, and what waits on them, belong to the scope whose code uses them.
  ///
  /// True on Linux, unless the standard library is linked statically. Known once the first scope
  /// has started.
  public static var virtualizesQueuesAndThreads: Bool { Reach.works }
}

extension VirtualTime: CustomStringConvertible {
  /// The time of the scope and the first of its sleeping tasks, as they appear in messages.
  public var description: String {
    let sleepers = sleepers
    guard !sleepers.isEmpty else { return "virtual time at \(now)" }
    return "virtual time at \(now), with these sleeping tasks:\n\(bullets(sleepers))"
  }
}

extension SleepingTask<VirtualTime.Instant> {
  /// A sleep that begins.
  init(_ timer: SleepTimer, until deadline: Nanoseconds, name: String?) {
    self.init(
      deadline: deadline == .never ? nil : Instant(deadline), start: Instant(timer.armedAt),
      taskName: name, taskID: timer.task.map { cvt_task_id($0) }, clock: timer.clock)
  }
}
