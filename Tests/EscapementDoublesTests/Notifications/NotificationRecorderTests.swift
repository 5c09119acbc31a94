import EscapementDoubles
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// Covers `Observation`, `RecordedElements` and `RecordIterator` as well.
@Suite struct NotificationRecorderTests {
  private let center = NotificationCenter()
  private let manager: PlaceManager

  init() { manager = PlaceManager(notificationCenter: center) }

  private func count(_ notification: Notification) -> Int? {
    notification.userInfo?["count"] as? Int
  }

  @Test func `notifications with the given names are recorded in the order of posting`() {
    let recorder = NotificationRecorder(
      center: center, named: .placesDidChange, .placesDidFail)
    manager.refresh(count: 1)
    center.post(name: .placesDidFail, object: nil)
    center.post(name: Notification.Name("other"), object: nil)
    NotificationCenter.default.post(name: .placesDidFail, object: nil)
    manager.refresh(count: 2)
    #expect(
      recorder.notifications.map(\.name) == [.placesDidChange, .placesDidFail, .placesDidChange])
    #expect(recorder.notifications.map(count) == [1, nil, 2])
  }

  @Test func `the recorded notifications are counted`() {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    #expect(recorder.count == 0)
    for number in 1...3 { manager.refresh(count: number) }
    #expect(recorder.count == 3)
  }

  @Test func `a recorder observes from its creation on`() {
    manager.refresh(count: 1)
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    manager.refresh(count: 2)
    #expect(recorder.notifications.map(count) == [2])
  }

  @Test func `a recorder that is released releases its observers and its notifications`() {
    var recorder: NotificationRecorder? = NotificationRecorder(
      center: center, named: .placesDidChange)
    weak var poster: PlaceManager?
    do {
      let manager = PlaceManager(notificationCenter: center)
      poster = manager
      manager.refresh()
    }
    #expect(poster != nil)
    #expect(recorder?.notifications.count == 1)
    recorder = nil
    #expect(poster == nil)
  }

  @Test func `notifications of one object are recorded`() {
    let other = PlaceManager(notificationCenter: center)
    let recorder = NotificationRecorder(
      center: center, named: .placesDidChange, object: manager)
    other.refresh(count: 1)
    manager.refresh(count: 2)
    center.post(name: .placesDidChange, object: nil)
    #expect(recorder.notifications.map(count) == [2])
  }

  @Test func `each iteration begins with the first recorded notification`() async {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    for number in 1...3 { manager.refresh(count: number) }
    for _ in 1...2 {
      var counts: [Int?] = []
      for await notification in recorder.prefix(3) { counts.append(count(notification)) }
      #expect(counts == [1, 2, 3])
    }
  }

  @Test(.virtualStandardClocks, .virtualTime) func `an iteration waits for further notifications`()
    async throws
  {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    manager.refresh(count: 7)
    async let refreshing: Void = PlaceManager(notificationCenter: center).refreshLater()
    var iterator = recorder.makeAsyncIterator()
    #expect(await iterator.next().flatMap(count) == 7)
    #expect(VirtualTime.current?.now.offset == .zero)
    #expect(await iterator.next().flatMap(count) == 1)
    #expect(VirtualTime.current?.now.offset == .seconds(60))
    try await refreshing
  }

  @Test func `an iteration ends when its task is cancelled`() async {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    let task = Task {
      var count = 0
      for await _ in recorder { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test func `a thread that posts resumes a waiting task`() async throws {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    async let waiting: Void = recorder.wait(forCount: 2)
    for _ in 1...2 {
      onForeignThread { [center] in center.post(name: .placesDidChange, object: nil) }
    }
    try await waiting
    #expect(recorder.notifications.count == 2)
  }

  @Test(
    .virtualStandardClocks,
    .expecting("is stuck at +60.0 seconds"),
    .virtualTime(.init(stallLimit: .milliseconds(20))))
  func `the scope reports notifications that are never posted`() async throws {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    try await manager.refreshLater()
    try await recorder.wait(forCount: 2)
  }

  @Test func `many threads may post`() {
    let recorder = NotificationRecorder(center: center, named: .placesDidChange)
    DispatchQueue.concurrentPerform(iterations: 8) { [center] _ in
      for _ in 0..<500 { center.post(name: .placesDidChange, object: nil) }
    }
    #expect(recorder.notifications.count == 4_000)
  }
}
