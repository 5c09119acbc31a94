public import EscapementFoundation
public import Foundation

/// Signs the user out after ten minutes without input, with a `Timer` of the run loop.
@MainActor
public final class AutomaticSignOut {
  /// The time without input after which the user is signed out.
  public static let delay: TimeInterval = 10 * 60

  private let account: Account
  private let scheduler: any TimerScheduler
  private var timer: Timer?

  /// Creates a manager of the timer, which begins with the first input.
  ///
  /// - Parameter scheduler: The run loop that fires the timer. A test passes a double.
  public init(account: Account, scheduler: any TimerScheduler = RunLoop.main) {
    self.account = account
    self.scheduler = scheduler
  }

  /// Starts the ten minutes again.
  public func userGaveInput() {
    timer?.invalidate()
    let timer = Timer(after: Self.delay) { [account] _ in
      Task { @MainActor in account.signOut() }
    }
    self.timer = timer
    scheduler.add(timer, forMode: .common)
  }
}
