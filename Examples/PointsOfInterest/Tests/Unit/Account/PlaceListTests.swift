import Foundation
import PointsOfInterest
import TestSupport
import Testing

@MainActor
@Suite struct PlaceListTests {
  private let center = NotificationCenter()
  private let account: Account
  private let list: PlaceList

  init() throws {
    account = Account(notificationCenter: center)
    list = PlaceList(account: account, notificationCenter: center)
    list.places = try threePlaces()
  }

  @Test func `places are visible only while the user is signed in`() {
    #expect(list.visiblePlaces == [])
    account.signIn()
    #expect(list.visiblePlaces == list.places)
    account.signOut()
    #expect(list.visiblePlaces == [])
  }

  @Test func `new places are visible at once`() throws {
    account.signIn()
    list.places = [try place("new", north: 1)]
    #expect(list.visiblePlaces.map(\.name) == ["new"])
  }

  @Test func `the account of another list changes nothing`() {
    let other = Account(notificationCenter: center)
    other.signIn()
    #expect(list.visiblePlaces == [])
  }

  @Test func `a list without references is released`() {
    var other: PlaceList? = PlaceList(account: account, notificationCenter: center)
    weak let released = other
    other = nil
    #expect(released == nil)
    account.signIn()
    withExtendedLifetime(other) {}
  }
}
