import EscapementDoubles
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// Covers `NotificationWatch` as well.
@Suite struct ExpectNotificationTests {
  private let center = NotificationCenter()
  private let manager: PlaceManager

  init() { manager = PlaceManager(notificationCenter: center) }

  @Test func `a notification that is posted passes`() {
    let result = expectNotification(named: .placesDidChange, on: center) {
      manager.refresh()
      return 7
    }
    #expect(result == 7)
  }

  @Test func `a missing notification fails the test at once, at the line of the call`() {
    let line = #line + 1
    let issues = issues { expectNotification(named: .placesDidChange, on: center) {} }
    #expect(issues.map(\.line) == [line])
    #expect(
      issues.first?.message.hasPrefix(
        "Expected 1 notification 'placesDidChange', but none were posted.") == true)
  }

  @Test func `a notification that is posted too often fails the test`() {
    let issues = issues {
      expectNotification(named: .placesDidChange, on: center, count: 2) {
        for _ in 1...3 { manager.refresh() }
      }
    }
    #expect(issues.map { $0.message.contains("but 3 were posted") } == [true])
  }

  @Test func `notifications of other objects do not count`() {
    let other = PlaceManager(notificationCenter: center)
    expectNotification(named: .placesDidChange, object: manager, on: center) {
      other.refresh()
      manager.refresh()
      center.post(name: .placesDidChange, object: nil)
    }
    let issues = issues {
      expectNotification(named: .placesDidChange, object: manager, on: center) {
        other.refresh()
        center.post(name: .placesDidChange, object: nil)
        center.post(name: .placesDidChange, object: 7)
      }
    }
    #expect(
      issues.map {
        $0.message.contains("3 notifications 'placesDidChange' came from another object")
      } == [true])
  }

  @Test func `notifications that do not meet the condition do not count`() {
    func hasThree(_ notification: Notification) -> Bool {
      notification.userInfo?["count"] as? Int == 3
    }
    expectNotification(named: .placesDidChange, on: center, where: hasThree) {
      manager.refresh(count: 2)
      manager.refresh(count: 3)
    }
    let issues = issues {
      expectNotification(named: .placesDidChange, on: center, where: hasThree) {
        manager.refresh(count: 2)
      }
    }
    #expect(
      issues.map {
        $0.message.contains("1 notification 'placesDidChange' did not meet the condition")
      } == [true])
  }

  @Test func `the failure mentions a notification that went to the default centre`() {
    let name = Notification.Name("ExpectNotificationTests.default")
    let issues = issues {
      expectNotification(named: name, on: center) {
        NotificationCenter.default.post(name: name, object: nil)
      }
    }
    #expect(
      issues.map { $0.message.contains("went to 'NotificationCenter.default'") } == [true])
  }

  @Test(.virtualStandardClocks, .virtualTime) func `a body may suspend`() async throws {
    try await expectNotification(named: .placesDidChange, object: manager, on: center) {
      try await manager.refreshLater()
    }
    let issues = await issues {
      await expectNotification(named: .placesDidChange, on: center) { await Task.yield() }
    }
    #expect(issues.map { $0.message.contains("but none were posted") } == [true])
  }

  @Test func `if the body throws, nothing is checked`() async {
    #expect(throws: CancellationError.self) {
      try expectNotification(named: .placesDidChange, on: center) { throw CancellationError() }
    }
    await #expect(throws: CancellationError.self) {
      try await expectNotification(named: .placesDidChange, on: center) {
        try await Task { throw CancellationError() }.value
      }
    }
  }

  @Test func `a notification that another thread posts before the body returns counts`() {
    expectNotification(named: .placesDidChange, on: center, count: 2) {
      onForeignThread { [center] in center.post(name: .placesDidChange, object: nil) }
      manager.refresh()
    }
    manager.refresh()
  }
}

@Suite @MainActor struct ExpectNotificationOnTheMainActorTests {
  @Test func `a body stays on the main actor`() async {
    let center = NotificationCenter()
    let manager = PlaceManager(notificationCenter: center)
    await expectNotification(named: .placesDidChange, on: center) {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      manager.refresh()
    }
  }
}

@Suite struct ExpectNoNotificationTests {
  private let center = NotificationCenter()
  private let manager: PlaceManager

  init() { manager = PlaceManager(notificationCenter: center) }

  @Test func `a body that posts nothing passes`() async {
    expectNoNotification(named: .placesDidChange, .placesDidFail, on: center) {}
    await expectNoNotification(named: .placesDidChange, on: center) { await Task.yield() }
  }

  @Test func `notifications with other names and of other objects pass`() {
    expectNoNotification(named: .placesDidFail, on: center) { manager.refresh() }
    expectNoNotification(named: .placesDidChange, object: self.manager, on: center) {
      PlaceManager(notificationCenter: center).refresh()
    }
  }

  @Test func `each name that is posted fails the test`() {
    let line = #line + 2
    let issues = issues {
      expectNoNotification(named: .placesDidFail, .placesDidChange, on: center) {
        manager.refresh()
        center.post(name: .placesDidFail, object: nil)
      }
    }
    #expect(issues.map(\.line) == [line, line])
    #expect(issues.first?.message.hasPrefix("Expected no notification 'placesDidFail'") == true)
  }

  @Test func `code that posts to its own centre passes for the default centre`() {
    expectNoNotification(named: .placesDidChange, object: manager, on: .default) {
      manager.refresh()
    }
  }

  @Test func `code that posts to the default centre fails the test`() {
    let manager = PlaceManager()
    let issues = issues {
      expectNoNotification(named: .placesDidChange, object: manager, on: .default) {
        manager.refresh()
      }
    }
    #expect(
      issues.map { $0.message.contains("It went to 'NotificationCenter.default'") } == [true])
  }

  @Test(arguments: 0..<50)
  func `tests that run at the same time are distinguished by the object`(number: Int) async {
    let own = PlaceManager()
    await expectNoNotification(named: .placesDidChange, object: manager, on: .default) {
      for _ in 0..<10 {
        await Task.yield()
        own.refresh()
      }
    }
    expectNotification(named: .placesDidChange, object: own, on: .default) { own.refresh() }
  }
}
