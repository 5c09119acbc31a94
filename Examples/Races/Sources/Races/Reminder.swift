/// A reminder that is shown after a while, unless it is dismissed before.
package protocol Reminder: Actor {
  init()
  func start(after duration: Duration)
  /// Returns whether the reminder was dismissed before it was shown.
  func dismiss() -> Bool
  var shownCount: Int { get }
}

/// Cancels the timer. A timer whose time has come is not stopped by that.
package actor RacyReminder: Reminder {
  private var timer: Task<Void, any Error>?
  package private(set) var shownCount = 0

  package init() {}

  package func start(after duration: Duration) {
    timer = Task {
      try await Task.sleep(for: duration)
      shownCount += 1
    }
  }

  package func dismiss() -> Bool {
    timer?.cancel()
    return shownCount == 0
  }
}

/// Looks when it is about to be shown whether it has been dismissed.
package actor FixedReminder: Reminder {
  private var timer: Task<Void, any Error>?
  private var isDismissed = false
  package private(set) var shownCount = 0

  package init() {}

  package func start(after duration: Duration) {
    timer = Task {
      try await Task.sleep(for: duration)
      if !isDismissed { shownCount += 1 }
    }
  }

  package func dismiss() -> Bool {
    timer?.cancel()
    isDismissed = true
    return shownCount == 0
  }
}
