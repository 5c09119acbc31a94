// Code that observes and posts notifications, and its tests.

import EscapementDoubles
import EscapementTesting
import Foundation
import Synchronization
import Testing

extension Notification.Name {
  static let authorizationDidChange = Notification.Name("authorizationDidChange")
}

final class NearbyPlaces: Sendable {
  private let reloads = Atomic(0)
  var reloadCount: Int { reloads.load(ordering: .relaxed) }

  init(notificationCenter: NotificationCenter = .default) {
    _ = notificationCenter.addObserver(
      forName: .authorizationDidChange, object: nil, queue: nil
    ) { [weak self] _ in self?.reloads.add(1, ordering: .relaxed) }
  }
}

final class LocationAuthorization: Sendable {
  private let notificationCenter: NotificationCenter

  init(notificationCenter: NotificationCenter = .default) {
    self.notificationCenter = notificationCenter
  }

  func change() { notificationCenter.post(name: .authorizationDidChange, object: self) }

  func changeLater() async throws {
    try await Task.sleep(for: .seconds(60))
    change()
  }
}

@Suite(.serialized) struct NotificationsTheBadWay {
  @Test func `places are reloaded when the authorization changes`() {
    let places = NearbyPlaces()
    NotificationCenter.default.post(name: .authorizationDidChange, object: nil)
    #expect(places.reloadCount == 1)
  }

  @Test func `a change is announced`() {
    let authorization = LocationAuthorization()
    let count = Atomic(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .authorizationDidChange, object: authorization, queue: nil
    ) { _ in count.add(1, ordering: .relaxed) }
    authorization.change()
    #expect(count.load(ordering: .relaxed) == 1)
    NotificationCenter.default.removeObserver(observer)
  }
}

@Suite struct NotificationsTheGoodWay {
  @Test func `places are reloaded when the authorization changes`() {
    let center = NotificationCenter()
    let places = NearbyPlaces(notificationCenter: center)
    center.post(name: .authorizationDidChange, object: nil)
    #expect(places.reloadCount == 1)
  }

  @Test func `a change is announced`() {
    let center = NotificationCenter()
    let authorization = LocationAuthorization(notificationCenter: center)
    expectNotification(named: .authorizationDidChange, object: authorization, on: center) {
      authorization.change()
    }
  }

  @Test func `a change is announced nowhere else`() {
    let authorization = LocationAuthorization(notificationCenter: NotificationCenter())
    expectNoNotification(
      named: .authorizationDidChange, object: authorization, on: .default
    ) {
      authorization.change()
    }
  }

  @Test(.virtualTime) func `changes are announced after a minute each`() async throws {
    let center = NotificationCenter()
    let recorder = NotificationRecorder(center: center, named: .authorizationDidChange)
    let authorization = LocationAuthorization(notificationCenter: center)
    let task = Task {
      while true { try await authorization.changeLater() }
    }
    for await _ in recorder.prefix(3) {}
    #expect(VirtualTime.current?.now.offset == .seconds(180))
    task.cancel()
  }
}

#if compiler(>=6.3)
  @MainActor final class Library {
    let notificationCenter: NotificationCenter

    init(notificationCenter: NotificationCenter = .default) {
      self.notificationCenter = notificationCenter
    }

    func add(_ count: Int) {
      notificationCenter.post(BooksDidChange(count: count), subject: self)
    }
  }

  struct BooksDidChange: NotificationCenter.MainActorMessage {
    typealias Subject = Library
    var count: Int
  }

  @Test @MainActor func `books that are added are announced`() {
    let center = NotificationCenter()
    let library = Library(notificationCenter: center)
    expectMessage(BooksDidChange.self, of: library, on: center, where: { $0.count == 3 }) {
      library.add(3)
    }
  }
#endif
