import EscapementTesting
import PointsOfInterest
import TestSupport
import Testing

/// Input with the standard clocks; the tests inject no clock.
@MainActor
@Suite(.virtualTime) struct FeaturedPlaceManagerInputTests {
  @Test func `the first press moves on at once, and starts a whole turn`() async throws {
    let subject = try await started()
    subject.manager.userAskedForNext()
    #expect(subject.manager.featuredPlace?.name == "middle")

    try await Task.sleep(for: .seconds(11))
    #expect(subject.events == ["moved on: middle", "moved on: far"])
    #expect(subject.times == [.seconds(4), .seconds(14)])
    subject.manager.stop()
  }

  @Test func `presses within half a second cause one move at its end`() async throws {
    let subject = try await started()
    for _ in 0..<5 {
      subject.manager.userAskedForNext()
      try await Task.sleep(for: .milliseconds(99))
    }
    #expect(subject.events == ["moved on: middle"])

    try await Task.sleep(for: .seconds(5))
    #expect(subject.events == ["moved on: middle", "moved on: far"])
    #expect(subject.times == [.seconds(4), .milliseconds(4500)])
    subject.manager.stop()
  }

  @Test func `a user who holds the key moves on every half second`() async throws {
    let subject = try await started()
    for _ in 0..<100 {
      subject.manager.userAskedForNext()
      try await Task.sleep(for: .milliseconds(33))
    }
    #expect(subject.times == (0..<7).map { .milliseconds(4000 + 500 * $0) })
    subject.manager.stop()
  }

  @Test func `a press after half a second moves on at once`() async throws {
    let subject = try await started()
    subject.manager.userAskedForNext()
    try await Task.sleep(for: .milliseconds(500) + .nanoseconds(1))
    subject.manager.userAskedForNext()
    #expect(subject.manager.featuredPlace?.name == "far")
    subject.manager.stop()
  }

  @Test func `stopping discards a kept press`() async throws {
    let subject = try await started()
    subject.manager.userAskedForNext()
    subject.manager.userAskedForNext()
    subject.manager.stop()
    subject.manager.userAskedForNext()
    try await Task.sleep(for: .seconds(1))
    #expect(subject.events == ["moved on: middle"])
  }

  @Test func `an observer of a move may stop the manager`() async throws {
    let subject = try await started()
    subject.stopsAtOnce = true
    subject.manager.userAskedForNext()
    try await Task.sleep(for: .seconds(3600))
    #expect(subject.events == ["moved on: middle"])
  }

  @Test func `a press does nothing before the start or without another place`() async throws {
    let subject = Subject(loader: StubPlaceLoader([try place("only", north: 1)]))
    subject.manager.userAskedForNext()
    subject.manager.start()
    try await Task.sleep(for: .seconds(1))
    subject.manager.userAskedForNext()
    try await Task.sleep(for: .seconds(1))
    #expect(subject.events == ["refreshed: only of 1"])
    subject.manager.stop()
  }

  /// A manager in the middle of the turn of the nearest of three places.
  private func started() async throws -> Subject {
    let subject = Subject(loader: StubPlaceLoader(try threePlaces()))
    subject.manager.start()
    try await Task.sleep(for: .seconds(4))
    #expect(subject.events == ["refreshed: near of 3"])
    subject.forget()
    return subject
  }
}
