import _EscapementCore

/// How many sleeps have begun, have ended, and have returned to their tasks.
struct SleepActivity: Equatable, Sendable {
  var armed: Int
  var ended: Int
  var returned: Int

  var isAnybodyAsleep: Bool { armed != ended }

  /// Whether somebody has been woken who does not run yet.
  var isAnybodyWaking: Bool { returned < ended }
}

/// Waits for code under test without knowing what it does: the best that can be had outside a
/// virtual-time scope.
///
/// Code has come to rest when some round trips through all executors it may run on have brought
/// nothing new: no sleep has begun, ended or returned. How many depends on what has been seen. Code
/// that has gone back to sleep has most likely done its work; of code that has not, nothing is
/// known. A loaded machine makes round trips slow, and so the patience longer by itself.
struct PatientSettling: Settling {
  let activity: @Sendable () -> SleepActivity

  /// How many quiet round trips are enough.
  private enum Patience {
    static let beforeFirstSleep = 16
    static let beforeFirstStep = 8
    static let afterWaking = 8
    static let afterNewSleep = 3
  }

  /// How long somebody who does not answer is waited for: a blocked main thread, or a woken task
  /// whose actor is blocked.
  private static let utmost = Duration.seconds(5)

  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async {
    var before = activity()
    await settle(
      since: before,
      patience: before.isAnybodyAsleep ? Patience.beforeFirstStep : Patience.beforeFirstSleep)
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
      } else if !current.isAnybodyWaking || lastEvent.duration(to: .now) > Self.utmost {
        quietRounds += 1
      }
    }
  }

  /// Returns when all that was ready to run has had its turn, on the main actor too.
  private func roundTrip() async {
    let mainActor = Echo()
    Task { @MainActor in mainActor.isHeard.withLock { $0 = true } }
    let start = ContinuousClock.now
    await roundTripThroughPool()
    while !mainActor.isHeard.withLock({ $0 }) {
      let waited = start.duration(to: .now)
      guard waited < Self.utmost else { return }
      // The main thread is busy for longer: leave the processor to it.
      if waited > .milliseconds(2) { try? await Task.sleep(for: .milliseconds(1)) }
      await roundTripThroughPool()
    }
  }

  /// Returns when all that was ready to run in the pool has had its turn.
  ///
  /// One job for each priority, to stand behind the others of that priority. None in the
  /// background: a loaded machine lets such jobs wait for minutes.
  private func roundTripThroughPool() async {
    await withTaskGroup(of: Void.self) { group in
      for priority in [TaskPriority.low, .medium, .high] {
        group.addTask(priority: priority) { @concurrent in }
      }
    }
  }

  private final class Echo: Sendable {
    let isHeard = Lock(false)
  }
}
