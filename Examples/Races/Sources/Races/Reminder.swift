/// A reminder that is shown after a while, unless it is dismissed before.
public protocol Reminder: Actor {
  init()
  func start(after duration: Duration)
  /// Returns whether the reminder was dismissed before it was shown.
  func dismiss() -> Bool
  var shownCount: Int { get }
}

/// Cancels the timer. A timer whose time has come is not stopped by that.
public actor RacyReminder: Reminder {
  private var timer: Task<Void, any Error>?
  public private(set) var shownCount = 0

  public init() {}

  public func start(after duration: Duration) {
    timer = Task {
      try await Task.sleep(for: duration)
      shownCount += 1
    }
  }

  public func dismiss() -> Bool {
    timer?.cancel()
    return shownCount == 0
  }
}

/// Looks when it is about to be shown whether it has been dismissed.
public actor FixedReminder: Reminder {
  private var timer: Task<Void, any Error>?
  private var isDismissed = false
  public private(set) var shownCount = 0

  public init() {}

  public func start(after duration: Duration) {
    timer = Task {
      try await Task.sleep(for: duration)
      if !isDismissed { shownCount += 1 }
    }
  }

  public func dismiss() -> Bool {
    timer?.cancel()
    isDismissed = true
    return shownCount == 0
  }
}
