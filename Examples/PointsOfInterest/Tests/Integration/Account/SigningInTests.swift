import EscapementDoubles
import EscapementTesting
import Foundation
import PointsOfInterest
import TestSupport
import Testing

/// The account, the list that observes it, and the timer that ends it.
@MainActor
@Suite(.virtualTime) struct SigningInTests {
  @Test func `the list is empty ten minutes after the last input`() async throws {
    let center = NotificationCenter()
    let account = Account(notificationCenter: center)
    let list = PlaceList(account: account, notificationCenter: center)
    list.places = try threePlaces()
    account.signIn()
    let signOut = AutomaticSignOut(account: account, scheduler: VirtualTimerScheduler())
    signOut.userGaveInput()

    try await Task.sleep(for: .seconds(600) - .nanoseconds(1))
    #expect(list.visiblePlaces.count == 3)
    try await Task.sleep(for: .nanoseconds(2))
    #expect(list.visiblePlaces == [])
  }
}
