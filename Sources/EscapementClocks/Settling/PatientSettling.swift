import _EscapementCore

/// How many sleeps have begun, have ended, and have returned to their tasks.
struct SleepActivity: Equatable, Sendable {
  var armed = 0
  var ended = 0
  var returned = 0

  /// Whether someone has been woken who does not run yet.
  var isWaking: Bool { returned < ended }
}

/// Waits for code under test without knowing what it does: the best that can be had outside a
/// virtual-time scope.
struct PatientSettling: Settling {
  let activity: @Sendable () -> SleepActivity

  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async {
    var before = activity()
    await settle(since: before, patience: before.armed == before.ended ? 16 : 4)
    before = activity()
    while step() {
      await settle(since: before, patience: 8)
      before = activity()
    }
  }

  private func settle(since start: SleepActivity, patience: Int) async {
    var patience = patience
    var last = start
    var quiet = 0
    while quiet < patience {
      await round()
      let current = activity()
      if current.armed != start.armed { patience = 2 }
      if current == last, !current.isWaking { quiet += 1 } else { quiet = 0 }
      last = current
    }
  }

  private func round() async {
    await withTaskGroup(of: Void.self) { group in
      for priority in [TaskPriority.background, .low, .medium, .high] {
        group.addTask(priority: priority) { @concurrent in }
      }
      group.addTask { @MainActor in }
    }
  }
}
