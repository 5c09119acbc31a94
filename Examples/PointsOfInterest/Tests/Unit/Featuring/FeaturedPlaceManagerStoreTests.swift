import EscapementTesting
import PointsOfInterest
import TestSupport
import Testing

@MainActor
@Suite(.virtualTime) struct FeaturedPlaceManagerStoreTests {
  @Test func `stored places are shown first, and replaced by the loaded ones`() async throws {
    let store = MemoryPlaceStore([try place("old", north: 1)])
    let loader = StubPlaceLoader([try place("new", north: 1)])
    loader.delay = .seconds(5)
    let subject = Subject(loader: loader, store: store)
    subject.manager.start()
    try await Task.sleep(for: .seconds(6))
    #expect(subject.events == ["restored: old of 1", "refreshed: new of 1"])
    #expect(subject.times == [.zero, .seconds(5)])
    #expect(store.stored.map(\.name) == ["new"])
    subject.manager.stop()
  }

  @Test func `without a server the stored places stay, and are featured in turn`() async throws {
    let store = MemoryPlaceStore(try threePlaces())
    let loader = StubPlaceLoader([])
    loader.isDown = true
    let subject = Subject(loader: loader, store: store)
    subject.manager.start()
    try await Task.sleep(for: .seconds(18))
    #expect(subject.events.first == "restored: near of 3")
    #expect(
      subject.events.suffix(3) == ["failed", "refreshed: near of 3", "moved on: middle"])
    #expect(store.stored.count == 3)
    subject.manager.stop()
  }

  @Test func `a full disk keeps the stored places, and the app goes on`() async throws {
    let store = MemoryPlaceStore([try place("old", north: 1)])
    store.isFull = true
    let subject = Subject(loader: StubPlaceLoader([try place("new", north: 1)]), store: store)
    subject.manager.start()
    try await Task.sleep(for: .seconds(1))
    #expect(
      subject.events == [
        "restored: old of 1", "refreshed: new of 1", "store failed",
      ])
    #expect(store.stored.map(\.name) == ["old"])
    subject.manager.stop()
  }

  @Test func `an observer of the stored places may stop the manager`() async throws {
    let store = MemoryPlaceStore([try place("old", north: 1)])
    let subject = Subject(loader: StubPlaceLoader(try threePlaces()), store: store)
    subject.stopsAtOnce = true
    subject.manager.start()
    try await Task.sleep(for: .seconds(3600))
    #expect(subject.events == ["restored: old of 1"])
  }
}
