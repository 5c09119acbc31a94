import EscapementDoubles
import EscapementTesting
import Foundation
import PointsOfInterest
import Testing

@MainActor
@Suite(.virtualTime) struct AutomaticSignOutTests {
  private let account = Account(notificationCenter: NotificationCenter())

  init() {
    account.signIn()
  }

  @Test func `each input adds a timer of ten minutes, and stops the one before`() {
    let scheduler = MockTimerScheduler()
    let manager = AutomaticSignOut(account: account, scheduler: scheduler)
    #expect(scheduler.timers.isEmpty)
    manager.userGaveInput()
    manager.userGaveInput()
    #expect(scheduler.timers.map(\.isValid) == [false, true])
    #expect(scheduler.lastTimer?.fireDate.timeIntervalSinceNow == 600)
  }

  @Test func `the timer signs the user out`() async {
    let scheduler = MockTimerScheduler()
    AutomaticSignOut(account: account, scheduler: scheduler).userGaveInput()
    scheduler.fire()
    await VirtualTime.current?.settle()
    #expect(!account.isSignedIn)
  }

  @Test func `the user is signed out ten minutes after the last input`() async throws {
    let manager = AutomaticSignOut(account: account, scheduler: VirtualTimerScheduler())
    manager.userGaveInput()
    try await Task.sleep(for: .seconds(300))
    manager.userGaveInput()
    try await Task.sleep(for: .seconds(600) - .nanoseconds(1))
    #expect(account.isSignedIn)
    try await Task.sleep(for: .nanoseconds(2))
    #expect(!account.isSignedIn)
  }
}
