import Dispatch
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// While schedules are explored, it is drawn how late timers are that may be late.
@Suite(.virtualStandardClocks) struct ToleranceTests {
  private struct Late: Error {}

  enum Timer: CaseIterable {
    case sleep, deadline, handle, source

    /// Takes a second, or up to 0.4 seconds longer.
    func wait(_ time: VirtualTime) async throws {
      let tolerance = Duration.milliseconds(400)
      switch self {
      case .sleep: try await Task.sleep(for: .seconds(1), tolerance: tolerance)
      case .deadline:
        try await Task.sleep(
          until: .now + .seconds(1), tolerance: tolerance, clock: .suspending)
      case .handle:
        try await time.sleep(until: time.now.advanced(by: .seconds(1)), tolerance: tolerance)
      case .source:
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource()
        await withCheckedContinuation { continuation in
          timer.setEventHandler {
            timer.cancel()
            continuation.resume()
          }
          timer.schedule(deadline: .now() + 1, leeway: .milliseconds(400))
          timer.activate()
        }
      }
    }
  }

  /// The times that a timer takes in many schedules.
  private func times(
    _ wait: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> Set<Duration> {
    let log = Log<Duration>()
    let report = try await withExploration(100) { time in
      try await wait(time)
      log.append(time.now.offset)
    }
    #expect(report.firstDifference == nil)
    return Set(log.entries)
  }

  @Test(arguments: Timer.allCases) func `a timer is on time, or late by quarters of its tolerance`(
    timer: Timer
  ) async throws {
    let times = try await times { try await timer.wait($0) }
    #expect(times == Set([1000, 1100, 1200, 1300, 1400].map { .milliseconds($0) }))
  }

  @Test(arguments: Timer.allCases) func `a timer is on time where nothing is explored`(
    timer: Timer
  ) async throws {
    try await withVirtualTime { time in
      try await timer.wait(time)
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test func `code that relies on a timer with a tolerance is found, and the report says so`()
    async throws
  {
    let report = try await withExploration(300) { time in
      async let save: Void = Task.sleep(for: .seconds(1), tolerance: .seconds(1))
      try await Task.sleep(for: .seconds(1.5))
      _ = try await save
      guard time.now.offset == .seconds(1.5) else { throw Late() }
    }
    let failure = try #require(report.failure)
    #expect(failure.messages == ["Late()"])
    #expect(failure.schedule.overtakings.count == 1)
    #expect("\(failure)".contains("+0.0 seconds  a timer is 0.75 seconds late"), "\(failure)")
  }

  @Test(
    arguments: [
      (Duration.zero, [1_000_000_000]), (.nanoseconds(1), [1_000_000_000, 1_000_000_001]),
      (.nanoseconds(3), [1_000_000_000, 1_000_000_001, 1_000_000_002, 1_000_000_003]),
      (.seconds(-1), [1_000_000_000]),
    ])
  func `a tolerance of a few nanoseconds has fewer steps`(
    tolerance: Duration, expected: [Int64]
  ) async throws {
    let times = try await times { _ in
      try await Task.sleep(for: .seconds(1), tolerance: tolerance)
    }
    #expect(times == Set(expected.map { .nanoseconds($0) }))
  }

  @Test func `a tolerance beyond all times may make a sleep endless, and no other crash`()
    async throws
  {
    let times = try await times { _ in
      let sleep = Task { try await Task.sleep(for: .seconds(1), tolerance: .seconds(Int64.max)) }
      try await Task.sleep(for: .seconds(2))
      sleep.cancel()
    }
    #expect(times == [.seconds(2)])
  }

  @Test func `a timer that repeats is late by half of its interval at most, and keeps its pace`()
    async throws
  {
    let times = Log<Duration>()
    _ = try await withExploration(100) { time in
      let timer = DispatchSource.makeTimerSource()
      let count = Log<Void>()
      timer.setEventHandler {
        times.append(time.now.offset)
        count.append(())
      }
      timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .seconds(60))
      timer.activate()
      await count.wait(for: 4)
      timer.cancel()
    }
    var expected: Set<Duration> = []
    for fire in 1...4 {
      for quarter in 0...4 { expected.insert(.milliseconds(1000 * fire + 125 * quarter)) }
    }
    #expect(Set(times.entries) == expected)
  }
}
