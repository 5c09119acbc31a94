import _EscapementCore

/// How many sleeps of a clock have begun, have ended, and have returned to their tasks.
struct SleepActivity: Equatable, Sendable {
  var armed: Int
  var ended: Int
  var returned: Int

  /// Whether a task sleeps.
  var hasSleepers: Bool { armed != ended }

  /// Whether a task has been woken that does not run yet.
  var hasWakingTasks: Bool { returned < ended }
}

/// The heuristic for waiting until the code under test has come to rest, outside of virtual-time
/// scopes.
///
/// The code is considered at rest after a number of quiet round trips through all executors that it
/// may run on. A round trip is quiet if no sleep has begun, ended or returned in it. Fewer round
/// trips are enough after a new sleep has begun, because code that sleeps again has probably done
/// its work. On a loaded machine round trips are slow, and so the wait is longer.
struct PatientSettling: Settling {
  var virtualizesClocks: Bool { false }

  let activity: @Sendable () -> SleepActivity

  /// The number of quiet round trips that are enough.
  private enum Patience {
    static let beforeFirstSleep = 16
    static let beforeFirstStep = 8
    static let afterWaking = 8
    static let afterNewSleep = 3
  }

  /// How long to wait for a blocked main thread, or for a woken task whose actor is blocked.
  private static let limit = Duration.seconds(5)

  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async {
    var before = activity()
    await settle(
      since: before,
      patience: before.hasSleepers ? Patience.beforeFirstStep : Patience.beforeFirstSleep)
    before = activity()
    while step() {
      await settle(since: before, patience: Patience.afterWaking)
      before = activity()
    }
  }

  private func settle(since start: SleepActivity, patience: Int) async {
    var patience = patience
    var last = start
    var quietRounds = 0
    var lastEvent = ContinuousClock.now
    while quietRounds < patience {
      await roundTrip()
      let current = activity()
      if current.armed != start.armed { patience = Patience.afterNewSleep }
      if current != last {
        last = current
        quietRounds = 0
        lastEvent = .now
      } else if !current.hasWakingTasks || lastEvent.duration(to: .now) > Self.limit {
        quietRounds += 1
      }
    }
  }

  /// Returns when all jobs that were ready have run, in the pool and on the main actor.
  private func roundTrip() async {
    let mainActor = Marker()
    Task { @MainActor in mainActor.hasRun.withLock { $0 = true } }
    let start = ContinuousClock.now
    await roundTripThroughPool()
    while !mainActor.hasRun.withLock({ $0 }) {
      let waited = start.duration(to: .now)
      guard waited < Self.limit else { return }
      // The main thread is busy for longer. Leave the processor to it.
      if waited > .milliseconds(2) { try? await Task.sleep(for: .milliseconds(1)) }
      await roundTripThroughPool()
    }
  }

  /// Returns when all jobs that were ready in the pool have run.
  ///
  /// The function adds one job for each priority, which runs behind the other jobs of that
  /// priority. It adds none of background priority, because such jobs may wait for minutes on a
  /// loaded machine.
  private func roundTripThroughPool() async {
    await withTaskGroup(of: Void.self) { group in
      for priority in [TaskPriority.low, .medium, .high] {
        group.addTask(priority: priority) { @concurrent in }
      }
    }
  }

  private final class Marker: Sendable {
    let hasRun = Lock(false)
  }
}
