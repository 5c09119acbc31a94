import EscapementTesting
import PointsOfInterest
import TestSupport
import Testing

/// Retries with the standard clock; the tests replace no part of the manager.
@MainActor
@Suite(.virtualTime) struct FeaturedPlaceManagerRetryTests {
  @Test(arguments: 0...3)
  func `a refresh tries again after 1, 2 and 4 seconds until it succeeds`(
    failures: Int
  ) async throws {
    let loader = FlakyPlaceLoader([try place("near", north: 1)], failures: failures)
    let subject = Subject(loader: loader)
    subject.manager.start()
    try await Task.sleep(for: .seconds(100))

    let attempts = Array([Duration.seconds(0), .seconds(1), .seconds(3), .seconds(7)][...failures])
    #expect(loader.attempts == attempts)
    let retries = ["again in 1.0 seconds", "again in 2.0 seconds", "again in 4.0 seconds"]
    #expect(subject.events == retries[..<failures] + ["refreshed: near of 1"])
    #expect(subject.times == attempts)
    subject.manager.stop()
  }

  @Test func `after four failures the known places stay, and the next refresh succeeds`()
    async throws
  {
    let loader = FlakyPlaceLoader([try place("near", north: 1)], failures: 5)
    let subject = Subject(loader: loader)
    subject.manager.start()
    try await Task.sleep(for: .seconds(1000))

    #expect(loader.attempts == [0, 1, 3, 7, 900, 901].map(Duration.seconds))
    #expect(
      subject.events.suffix(4) == [
        "failed", "refreshed: none of 0", "again in 1.0 seconds", "refreshed: near of 1",
      ])
    #expect(subject.times == [0, 1, 3, 7, 7, 900, 901].map(Duration.seconds))
    subject.manager.stop()
  }

  @Test func `the known places are featured in turn while loading is retried`() async throws {
    let loader = FlakyPlaceLoader(try threePlaces(), failures: 0)
    let subject = Subject(loader: loader)
    subject.manager.start()
    try await Task.sleep(for: .seconds(895))
    loader.failures = .max
    try await Task.sleep(for: .seconds(13))

    // The refresh and a move are due at the same instant, so either may come first.
    #expect(
      subject.events.suffix(6).prefix(2).sorted() == ["again in 1.0 seconds", "moved on: near"])
    #expect(
      subject.events.suffix(4) == [
        "again in 2.0 seconds", "again in 4.0 seconds", "failed", "refreshed: near of 3",
      ])
    #expect(subject.times.suffix(6) == [900, 900, 901, 903, 907, 907].map(Duration.seconds))
    subject.manager.stop()
  }

  @Test func `a stopped manager does not retry`() async throws {
    let loader = FlakyPlaceLoader([], failures: .max)
    let subject = Subject(loader: loader)
    subject.manager.start()
    try await Task.sleep(for: .seconds(2))
    subject.manager.stop()
    try await Task.sleep(for: .seconds(1000))

    #expect(loader.attempts == [0, 1].map(Duration.seconds))
    #expect(subject.events == ["again in 1.0 seconds", "again in 2.0 seconds"])
  }

  @Test func `the next refresh cancels one that is still under way`() async throws {
    let loader = StubPlaceLoader([try place("near", north: 1)])
    loader.delay = .seconds(1000)
    let subject = Subject(loader: loader)
    subject.manager.start()
    try await Task.sleep(for: .seconds(899))
    loader.delay = .seconds(5)
    try await Task.sleep(for: .seconds(601))

    #expect(subject.events == ["refreshed: near of 1"])
    #expect(subject.times == [.seconds(905)])
    subject.manager.stop()
  }
}
