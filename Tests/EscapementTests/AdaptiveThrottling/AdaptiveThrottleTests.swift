import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@Suite(.virtualTime) struct AdaptiveThrottleTests {
  private struct Rejected: Error {}
  private struct NotFound: Error {}

  private func reject(_ throttle: AdaptiveThrottle<some Clock<Duration>>, _ count: Int) async {
    for _ in 0..<count { _ = try? await throttle.run { throw Rejected() } }
  }

  @Test func `all calls are let through while every second one is accepted`() async throws {
    let throttle = try AdaptiveThrottle()
    for _ in 0..<100 {
      try await throttle.run {}
      await reject(throttle, 1)
      #expect(throttle.refusalProbability == 0)
    }
    await reject(throttle, 1)
    #expect(throttle.refusalProbability == 1.0 / 202)
  }

  @Test(arguments: [(1.5, 10.0 / 17), (2, 8.0 / 17), (3, 4.0 / 17), (4, 0)] as [(Double, Double)])
  func `the probability follows the formula`(multiplier: Double, expected: Double) async throws {
    let throttle = try AdaptiveThrottle(
      multiplier: multiplier, countingAsRejection: { !($0 is NotFound) })
    for _ in 0..<2 { try await throttle.run {} }
    for _ in 0..<2 { _ = try? await throttle.run { throw NotFound() } }
    await reject(throttle, 12)
    // Some of them may have been refused here, which counts the same.
    #expect(throttle.refusalProbability == expected)
  }

  @Test(.virtualStandardClocks)
  func `what is cancelled does not count, unless a deadline has cancelled it`() async throws {
    let throttle = try AdaptiveThrottle()
    let task = Task { try await throttle.run { try await Task.sleep(for: .seconds(10)) } }
    await VirtualTime.current?.settle()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(throttle.refusalProbability == 0)
    _ = try? await withDeadline(in: .seconds(1)) {
      try await throttle.run { try await Task.sleep(for: .seconds(10)) }
    }
    #expect(throttle.refusalProbability == 1.0 / 2)
  }

  @Test func `calls count for the time of the window`() async throws {
    let clock = SettableClock()
    let throttle = try AdaptiveThrottle(over: .seconds(100), clock: clock)
    await reject(throttle, 9)
    clock.set(.seconds(100) - .nanoseconds(1))
    #expect(throttle.refusalProbability == 9.0 / 10)
    clock.set(.seconds(100))
    #expect(throttle.refusalProbability == 0)
    for offset in [Duration.longest, .zero - .longest, .zero] {
      clock.set(offset)
      await reject(throttle, 1)
    }
    #expect(throttle.refusalProbability == 3.0 / 4)
  }

  @Test(arguments: [1.099, 1_000.001, .nan, .infinity])
  func `a multiplier is from 1.1 to 1,000`(
    multiplier: Double
  ) {
    #expect(throws: InvalidArgumentError.self) { try AdaptiveThrottle(multiplier: multiplier) }
  }

  @Test(arguments: [Duration.nanoseconds(9), .seconds(3_000_000_001), .zero, .longest])
  func `a window is from 10 nanoseconds to 95 years`(window: Duration) {
    #expect(throws: InvalidArgumentError.self) { try AdaptiveThrottle(over: window) }
  }

  /// A service that does a thousand units of work in a second. To answer a call takes ten of them,
  /// and to reject one takes two.
  private actor Service {
    private(set) var answers = 0
    private var left = 0.0
    private var latest: ContinuousClock.Instant = .now

    func call() throws {
      left = min(100, left + (.now - latest) / .milliseconds(1))
      latest = .now
      guard left >= 10 else {
        left -= 2
        throw Rejected()
      }
      left -= 10
      answers += 1
    }
  }

  @Test(
    .virtualStandardClocks,
    arguments: [(nil, 48...55), (2, 70...95)] as [(Double?, ClosedRange<Int>)])
  func `of three times its load, a service answers more if clients throttle`(
    multiplier: Double?, expected: ClosedRange<Int>
  ) async throws {
    let service = Service()
    let throttle = try multiplier.map { try AdaptiveThrottle(multiplier: $0, over: .seconds(10)) }
    for _ in 1...60 * 300 {
      try await Task.sleep(for: .microseconds(3_333))
      if let throttle {
        try? await throttle.run { try await service.call() }
      } else {
        try? await service.call()
      }
    }
    let percent = await service.answers / 60
    #expect(expected.contains(percent))
  }
}
