import EscapementVirtualTime
import PointsOfInterest
import Testing

/// The manager waits with a bare `Task.sleep` and asks `Date()`: nothing of it is replaced here.
@MainActor
@Suite struct FeaturedPlaceManagerTests {
  @Test func `before it is started nothing is featured`() async throws {
    try await onMonday(at: 12) { time in
      let subject = Subject(loader: StubPlaceLoader([try place("near", north: 1)]))
      await time.advance(by: .seconds(3600))
      #expect(subject.manager.featuredPlace == nil)
      #expect(subject.events.isEmpty)
    }
  }

  @Test func `the next place takes its turn after ten seconds`() async throws {
    try await onMonday(at: 12) { time in
      let subject = Subject(loader: StubPlaceLoader(try threePlaces()))
      subject.manager.start()
      await time.settle()
      #expect(subject.events == ["refreshed: near of 3"])

      await time.advance(by: .seconds(10) - .nanoseconds(1))
      #expect(subject.manager.featuredPlace?.name == "near")
      await time.advance(by: .nanoseconds(1))
      #expect(subject.manager.featuredPlace?.name == "middle")

      await time.advance(by: .seconds(20))
      #expect(
        subject.events == [
          "refreshed: near of 3", "moved on: middle", "moved on: far", "moved on: near",
        ])
      subject.manager.stop()
    }
  }

  @Test func `a refresh after fifteen minutes begins with the nearest, for a whole turn`()
    async throws
  {
    try await onMonday(at: 12) { time in
      let subject = Subject(
        loader: StubPlaceLoader([try place("a", north: 1), try place("b", north: 2)]))
      subject.manager.start()
      await time.advance(by: .seconds(900) - .nanoseconds(1))
      #expect(subject.events.count == 1 + 89)
      #expect(subject.manager.featuredPlace?.name == "b")

      await time.advance(by: .nanoseconds(1))
      #expect(subject.events.count == 1 + 89 + 1)
      #expect(subject.events.last == "refreshed: a of 2")

      await time.advance(by: .seconds(10) - .nanoseconds(1))
      #expect(subject.manager.featuredPlace?.name == "a")
      await time.advance(by: .nanoseconds(1))
      #expect(subject.manager.featuredPlace?.name == "b")
      subject.manager.stop()
    }
  }

  @Test func `places open and close with the hour of the wall clock`() async throws {
    try await onMonday(at: 7) { time in
      let subject = Subject(
        loader: StubPlaceLoader([try place("shop", north: 1, hours: "Mo 08:00-09:00")]))
      subject.manager.start()
      await time.advance(by: .seconds(3600) - .nanoseconds(1))
      #expect(subject.manager.featuredPlace == nil)
      await time.advance(by: .nanoseconds(1))
      #expect(subject.manager.featuredPlace?.name == "shop")
      await time.advance(by: .seconds(3600) - .nanoseconds(1))
      #expect(subject.manager.featuredPlace?.name == "shop")
      await time.advance(by: .nanoseconds(1))
      #expect(subject.manager.featuredPlace == nil)
      #expect(
        subject.events == Array(repeating: "refreshed: none of 0", count: 4)
          + Array(repeating: "refreshed: shop of 1", count: 4) + ["refreshed: none of 0"])
      subject.manager.stop()
    }
  }

  @Test func `a failure leaves the known places in turn, and the next refresh is a new chance`()
    async throws
  {
    try await onMonday(at: 7) { time in
      let loader = StubPlaceLoader([
        try place("house", north: 1), try place("shop", north: 2, hours: "Mo 08:00-09:00"),
      ])
      let subject = Subject(loader: loader)
      loader.isDown = true
      subject.manager.start()
      await time.settle()
      #expect(subject.events == ["failed", "refreshed: none of 0"])

      loader.isDown = false
      await time.advance(by: .seconds(2700))
      #expect(subject.events.last == "refreshed: house of 1")

      // The shop opens although the loader is down again.
      loader.isDown = true
      await time.advance(by: .seconds(900))
      #expect(subject.events.suffix(2) == ["failed", "refreshed: house of 2"])
      subject.manager.stop()
    }
  }

  @Test func `places take their turns while a slow refresh is under way`() async throws {
    try await onMonday(at: 12) { time in
      let loader = StubPlaceLoader(try threePlaces())
      let subject = Subject(loader: loader)
      subject.manager.start()
      await time.settle()
      loader.delay = .seconds(25)
      await time.advance(by: .seconds(924))
      #expect(subject.events.suffix(3) == ["moved on: near", "moved on: middle", "moved on: far"])
      await time.advance(by: .seconds(1))
      #expect(subject.events.last == "refreshed: near of 3")
      subject.manager.stop()
    }
  }

  @Test(arguments: [false, true])
  func `once stopped nothing happens, not even the end of a slow refresh`(
    isDown: Bool
  ) async throws {
    try await onMonday(at: 12) { time in
      let loader = StubPlaceLoader(try threePlaces())
      loader.delay = .seconds(25)
      loader.isDown = isDown
      let subject = Subject(loader: loader)
      subject.manager.start()
      await time.advance(by: .seconds(24))
      subject.manager.stop()
      subject.manager.stop()
      await time.advance(by: .seconds(3600))
      #expect(subject.events.isEmpty)
      #expect(time.nextDeadline == nil)
    }
  }

  @Test func `it may be stopped by whoever is told of a refresh`() async throws {
    try await onMonday(at: 12) { time in
      let subject = Subject(loader: StubPlaceLoader(try threePlaces()))
      subject.stopsAtOnce = true
      subject.manager.start()
      await time.advance(by: .seconds(3600))
      #expect(subject.events == ["refreshed: near of 3"])
      #expect(time.nextDeadline == nil)
    }
  }

  @Test func `it can be started again, and a second start changes nothing`() async throws {
    try await onMonday(at: 12) { time in
      let subject = Subject(loader: StubPlaceLoader(try threePlaces()))
      subject.manager.start()
      await time.advance(by: .seconds(5))
      subject.manager.stop()
      subject.manager.start()
      subject.manager.start()
      await time.advance(by: .seconds(10))
      #expect(
        subject.events == ["refreshed: near of 3", "refreshed: near of 3", "moved on: middle"])
      subject.manager.stop()
    }
  }

  @Test func `a manager that nobody holds goes away and stops`() async throws {
    try await onMonday(at: 12) { time in
      var subject: Subject? = Subject(loader: StubPlaceLoader(try threePlaces()))
      weak let manager = subject?.manager
      subject?.manager.start()
      await time.advance(by: .seconds(5))
      subject = nil
      #expect(manager == nil)
      await time.settle()
      #expect(time.nextDeadline == nil)
    }
  }

  /// Runs `body` in manual virtual time that begins on Monday, 2026-06-01, at an hour of San Jose.
  private func onMonday(
    at hour: Int, _ body: @escaping @MainActor (VirtualTime) async throws -> Void
  ) async throws {
    let midnight = Duration.seconds(1_780_297_200)
    let options = VirtualTimeOptions(
      mode: .manual, wallClockStart: midnight + .seconds(hour * 3600))
    try await withVirtualTime(options) { try await body($0) }
  }

  private func threePlaces() throws -> [Place] {
    [try place("far", north: 3), try place("near", north: 1), try place("middle", north: 2)]
  }
}

/// A manager, and what it told.
@MainActor
private final class Subject {
  var stopsAtOnce = false
  private(set) var events: [String] = []
  private(set) var manager: FeaturedPlaceManager!

  init(loader: any PlaceLoader) {
    manager = FeaturedPlaceManager(loader: loader) { [weak self] event in
      guard let self else { return }
      events.append(Self.describe(event))
      if stopsAtOnce { manager.stop() }
    }
  }

  private static func describe(_ event: FeaturedPlaceEvent) -> String {
    switch event {
    case .refreshed(let place, let openPlaces):
      "refreshed: \(place?.name ?? "none") of \(openPlaces)"
    case .refreshFailed: "failed"
    case .movedOn(let place): "moved on: \(place.name)"
    }
  }
}
