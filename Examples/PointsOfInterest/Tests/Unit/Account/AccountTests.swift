import EscapementDoubles
import Foundation
import PointsOfInterest
import Testing

@MainActor
@Suite struct AccountTests {
  private let center = NotificationCenter()

  @Test func `a change is announced once`() {
    let account = Account(notificationCenter: center)
    expectNotification(named: .authChanged, object: account, on: center) {
      account.signIn()
      account.signIn()
    }
    expectNotification(named: .authChanged, object: account, on: center) {
      account.signOut()
      account.signOut()
    }
  }

  @Test func `a change is announced nowhere else`() {
    let account = Account(notificationCenter: center)
    expectNoNotification(named: .authChanged, object: account, on: .default) {
      account.signIn()
    }
  }

  @Test func `the account has changed when it is announced`() {
    let account = Account(notificationCenter: center)
    let recorder = NotificationRecorder(center: center, named: .authChanged)
    #expect(!account.isSignedIn)
    account.signIn()
    #expect(account.isSignedIn)
    #expect(recorder.count == 1)
  }
}
