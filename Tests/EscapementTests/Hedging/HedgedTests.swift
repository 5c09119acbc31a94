import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@testable import Escapement

@Suite(.virtualTime) struct HedgedTests {
  let clock = TestClock()
  private let begun = Log<String>()

  private struct Failure: Error, Equatable {
    let attempt: Int
  }

  /// Attempts that take these seconds each, and fail where the number is negative.
  private func call(
    _ seconds: [Int], after delay: Duration = .seconds(1)
  ) -> Task<Int, any Error> {
    Task { [clock, begun] in
      try await hedged(after: delay, maximumAttempts: seconds.count, clock: clock) { attempt in
        begun.append("\(attempt) at \(clock.now.offset)")
        try await clock.sleep(for: .seconds(abs(seconds[attempt - 1])))
        if seconds[attempt - 1] < 0 { throw Failure(attempt: attempt) }
        return attempt
      }
    }
  }

  private func advance(_ seconds: Int) async {
    for _ in 0..<seconds {
      await VirtualTime.current?.settle()
      await clock.advance(by: .seconds(1))
    }
    await VirtualTime.current?.settle()
  }

  @Test func `a fast operation is performed once`() async throws {
    let result = Task { [begun] in
      try await hedged(after: .seconds(1)) { attempt in
        begun.append("\(attempt)")
        return attempt
      }
    }
    #expect(try await result.value == 1)
    #expect(begun.entries == ["1"])
  }

  @Test
  func `a slow operation is performed once more after the delay, and the first result counts`()
    async throws
  {
    let result = call([60, 2])
    await advance(3)
    #expect(try await result.value == 2)
    #expect(begun.entries == ["1 at 0.0 seconds", "2 at 1.0 seconds"])
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `the first attempt counts if it is the first to end`() async throws {
    let result = call([2, 60, 60])
    await advance(2)
    #expect(try await result.value == 1)
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `after a failure the next attempt begins at once`() async throws {
    let result = call([-2, 60, 3], after: .seconds(5))
    await advance(10)
    #expect(try await result.value == 3)
    #expect(begun.entries == ["1 at 0.0 seconds", "2 at 2.0 seconds", "3 at 7.0 seconds"])
  }

  @Test func `when all attempts fail, the error is that of the last one to end`() async throws {
    let result = call([-10, -2, -3])
    await advance(12)
    await #expect(throws: Failure(attempt: 1)) { try await result.value }
    #expect(begun.count == 3)
  }

  @Test func `cancellation ends all attempts, and no further one begins`() async throws {
    let result = call([60, 60, 60])
    await advance(1)
    result.cancel()
    await #expect(throws: CancellationError.self) { try await result.value }
    #expect(begun.count == 2)
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `the result of an attempt that ignores its cancellation is returned`() async throws {
    let result = Task { [clock] in
      try await hedged(after: .seconds(1), clock: clock) { attempt in
        try? await clock.sleep(for: .seconds(60))
        return attempt
      }
    }
    try await clock.waitForSleepers(count: 2)
    result.cancel()
    #expect(try await result.value == 1)
  }

  @Test func `a deadline around the call cancels all attempts`() async throws {
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(3), clock: clock) {
        try await hedged(after: .seconds(1), maximumAttempts: 9, clock: clock) { _ in
          try await clock.sleep(for: .seconds(60))
        }
      }
    }
    await advance(3)
    await #expect(throws: DeadlineExpiredError.self) { try await result.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `arguments that are not valid are refused`() async {
    let delay = await #expect(throws: InvalidArgumentError.self) {
      try await hedged(after: .seconds(-1)) { _ in }
    }
    #expect(delay?.argument == "delay")
    let attempts = await #expect(throws: InvalidArgumentError.self) {
      try await hedged(after: .zero, maximumAttempts: 0) { _ in }
    }
    #expect(attempts?.argument == "maximumAttempts")
  }

  @Test func `while attempts fail at once, one task sleeps`() async throws {
    let result = Task { [clock, begun] in
      try await hedged(after: .seconds(1), maximumAttempts: .max, clock: clock) { attempt in
        if attempt < 1_000 { throw Failure(attempt: attempt) }
        begun.append("\(attempt) at \(clock.now.offset)")
        try await clock.sleep(for: .seconds(3))
        return attempt
      }
    }
    await VirtualTime.current?.settle()
    // That of the delay, and the attempt.
    #expect(clock.sleepers.count == 2)
    await advance(3)
    #expect(begun.entries.prefix(2) == ["1000 at 0.0 seconds", "1001 at 1.0 seconds"])
    #expect(try await result.value == 1_000)
  }

  enum Event: CaseIterable { case failed, passed }

  @Test func `every sequence of up to seven events begins at most the allowed attempts`() throws {
    for maximum in 1...3 {
      for events in sequences(of: Event.allCases, upTo: 7) {
        var machine = HedgingStateMachine(maximumAttempts: maximum)
        var (running, begun) = (1, 1)
        // The attempt after which the only sleep began.
        var sleeping = maximum > 1 ? 1 : nil
        for event in events where running > 0 && (event == .failed || sleeping != nil) {
          let step: HedgingStateMachine.Step
          let isLate = event == .passed && sleeping! < begun
          switch event {
          case .failed:
            running -= 1
            step = machine.attemptFailed()
          case .passed:
            sleeping = nil
            step = machine.delayPassed()
          }
          switch step {
          case .begin(let attempt, let thenSleep):
            (begun, running) = (begun + 1, running + 1)
            try require(!isLate && attempt == begun && begun <= maximum, "\(events)")
            try require(thenSleep == (event == .passed && begun < maximum), "\(events)")
            if thenSleep { sleeping = begun }
          case .sleep:
            try require(isLate && begun < maximum, "\(events)")
            sleeping = begun
          case .wait:
            try require(running > 0, "waits for nothing, \(events)")
          case .giveUp:
            try require(running == 0 && begun == maximum, "gives up early, \(events)")
          }
          try require(begun == maximum || sleeping != nil, "no attempt follows, \(events)")
        }
      }
    }
  }
}
