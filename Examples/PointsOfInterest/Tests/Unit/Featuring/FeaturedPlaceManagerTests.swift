import EscapementTesting
import PointsOfInterest
import TestSupport
import Testing

/// The manager uses a bare `Task.sleep` and `Date()`; the tests replace no part of it.
@MainActor
@Suite struct FeaturedPlaceManagerTests {
  @Test(.monday(at: 12)) func `no place is featured before the start`() async throws {
    let time = try #require(VirtualTime.current)
    let subject = Subject(loader: StubPlaceLoader([try place("near", north: 1)]))
    await time.advance(by: .seconds(3600))
    #expect(subject.manager.featuredPlace == nil)
    #expect(subject.events.isEmpty)
  }

  @Test(.monday(at: 12)) func `the next place is featured after ten seconds`() async throws {
    let time = try #require(VirtualTime.current)
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

  @Test(.monday(at: 12))
  func `a refresh after fifteen minutes features the nearest place for a whole turn`()
    async throws
  {
    let time = try #require(VirtualTime.current)
    let subject = Subject(
      loader: StubPlaceLoader([try place("a", north: 1), try place("b", north: 2)]))
    subject.manager.start()
    await time.advance(by: .seconds(900) - .nanoseconds(1))
    #expect(subject.events.count == 1 + 89)
    #expect(subject.manager.featuredPlace?.name == "b")

    await time.advance(by: .nanoseconds(1))
    // The next move is due at the same instant. If the refresh comes first, it cancels the move.
    #expect(subject.events.last == "refreshed: a of 2")

    await time.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(subject.manager.featuredPlace?.name == "a")
    await time.advance(by: .nanoseconds(1))
    #expect(subject.manager.featuredPlace?.name == "b")
    subject.manager.stop()
  }

  @Test(.monday(at: 7)) func `places open and close according to the wall clock`() async throws {
    let time = try #require(VirtualTime.current)
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

  @Test(.monday(at: 7))
  func `a failed refresh keeps the known places, and the next one loads new ones`()
    async throws
  {
    let time = try #require(VirtualTime.current)
    let loader = StubPlaceLoader([
      try place("house", north: 1), try place("shop", north: 2, hours: "Mo 08:00-09:00"),
    ])
    let subject = Subject(loader: loader)
    loader.isDown = true
    subject.manager.start()
    await time.advance(by: .seconds(7))
    #expect(subject.events.suffix(2) == ["failed", "refreshed: none of 0"])

    loader.isDown = false
    await time.advance(by: .seconds(2700))
    #expect(subject.events.last == "refreshed: house of 1")

    // The shop opens although the loader fails again.
    loader.isDown = true
    await time.advance(by: .seconds(900))
    #expect(subject.events.suffix(2) == ["failed", "refreshed: house of 2"])
    subject.manager.stop()
  }

  @Test(.monday(at: 12)) func `places are featured in turn while a slow refresh is under way`()
    async throws
  {
    let time = try #require(VirtualTime.current)
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

  @Test(.monday(at: 12), arguments: [false, true])
  func `after a stop nothing happens, not even the end of a slow refresh`(
    isDown: Bool
  ) async throws {
    let time = try #require(VirtualTime.current)
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

  @Test(.monday(at: 12)) func `an observer of a refresh may stop the manager`() async throws {
    let time = try #require(VirtualTime.current)
    let subject = Subject(loader: StubPlaceLoader(try threePlaces()))
    subject.stopsAtOnce = true
    subject.manager.start()
    await time.advance(by: .seconds(3600))
    #expect(subject.events == ["refreshed: near of 3"])
    #expect(time.nextDeadline == nil)
  }

  @Test(.monday(at: 12))
  func `a stopped manager can be started again; a second start does nothing`()
    async throws
  {
    let time = try #require(VirtualTime.current)
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

  @Test(.monday(at: 12)) func `a manager without references is released and stops`() async throws {
    let time = try #require(VirtualTime.current)
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
