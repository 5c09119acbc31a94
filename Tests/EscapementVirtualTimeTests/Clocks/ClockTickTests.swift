import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct ClockTickTests {
  private func inScope<Value: Sendable>(
    tick: Duration, _ body: @escaping @Sendable (VirtualTime) async throws -> Value
  ) async throws -> Value {
    try await withVirtualTime(.init(clockTick: tick), body)
  }

  @Test func `each reading of a clock is a tick later than the one before`() async throws {
    try await inScope(tick: .nanoseconds(3)) { _ in
      let continuous = [ContinuousClock.now, .now, .now]
      #expect(continuous[0].duration(to: continuous[1]) == .nanoseconds(3))
      #expect(continuous[0].duration(to: continuous[2]) == .nanoseconds(6))
      let suspending = SuspendingClock.now
      #expect(suspending.duration(to: .now) == .nanoseconds(3))
      let uptime = DispatchTime.now().uptimeNanoseconds
      #expect(DispatchTime.now().uptimeNanoseconds - uptime == 3)
    }
  }

  @Test func `a reading of any clock moves all of them`() async throws {
    try await inScope(tick: .microseconds(1)) { _ in
      let start = ContinuousClock.now
      for _ in 0..<9 { _ = Date() }
      #expect(start.duration(to: .now) == .microseconds(10))
    }
  }

  @Test func `a date after a sleep is past the deadline`() async throws {
    try await inScope(tick: .microseconds(1)) { _ in
      let deadline = Date() + 5
      try await Task.sleep(for: .seconds(5))
      #expect(Date() > deadline)
    }
  }

  @Test func `sleeps and the scope's time stay exact`() async throws {
    let offsets = try await inScope(tick: .microseconds(1)) { time in
      var offsets: [Duration] = []
      for _ in 0..<3 { _ = ContinuousClock.now }
      try await Task.sleep(for: .seconds(1))
      offsets.append(time.now.offset)
      try await Task.sleep(until: .now + .seconds(1), clock: .continuous)
      offsets.append(time.now.offset)
      try await Task.sleep(until: .now + .seconds(1), clock: .suspending)
      offsets.append(time.now.offset)
      try await Task.sleep(nanoseconds: 1_000_000_000)
      offsets.append(time.now.offset)
      return offsets
    }
    #expect(offsets == [.seconds(1), .seconds(2), .seconds(3), .seconds(4)])
  }

  @Test func `a sleep measured by a clock lasts a tick longer`() async throws {
    try await inScope(tick: .nanoseconds(1)) { _ in
      let elapsed = try await ContinuousClock().measure { try await Task.sleep(for: .seconds(1)) }
      #expect(elapsed > .seconds(1))
      #expect(elapsed <= .seconds(1) + .nanoseconds(3))
    }
  }

  @Test func `a scope gives the same readings in each run`() async throws {
    var all: Set<[Duration]> = []
    for _ in 0..<10 {
      all.insert(
        try await inScope(tick: .nanoseconds(1)) { _ in
          let start = ContinuousClock.now
          return await withTaskGroup { group in
            for delay in [2, 1, 3] {
              group.addTask {
                try? await Task.sleep(for: .milliseconds(delay))
                return start.duration(to: .now)
              }
            }
            return await group.reduce(into: []) { $0.append($1) }
          }
        })
    }
    #expect(all.count == 1)
  }

  @Test func `without a tick two readings are equal`() async throws {
    try await inScope(tick: .zero) { _ in
      let (one, other) = (ContinuousClock.now, ContinuousClock.now)
      #expect(one == other)
    }
  }

  @Test(arguments: [Duration.nanoseconds(-1), .seconds(1) + .nanoseconds(1)])
  func `a tick that is negative or longer than a second is refused`(
    tick: Duration
  ) async throws {
    await #expect(
      throws: VirtualTimeError.invalidOption(
        "clockTick must be between zero and a second (got \(tick))")
    ) {
      try await inScope(tick: tick) { _ in }
    }
  }

  @Test(arguments: [Duration.zero, .seconds(1)])
  func `a tick of up to a second is accepted`(tick: Duration) async throws {
    try await inScope(tick: tick) { _ in }
  }
}
