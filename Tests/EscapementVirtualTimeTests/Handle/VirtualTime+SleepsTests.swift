import EscapementClocks
import EscapementVirtualTime
import TestSupport
import Testing

@testable import EscapementVirtualTime

@Suite(.virtualStandardClocks) struct VirtualTimeSleepsTests {
  private struct Unavailable: Error {}

  /// Tries four times, and waits for longer each time.
  private func load() async throws {
    for delay in [1, 2, 4] { try await Task.sleep(for: .seconds(delay)) }
  }

  // MARK: Waiting for a sleep

  @Test func `a sleep is returned when it begins, before time moves`() async throws {
    try await withVirtualTime { time in
      let task = Task(name: "retry") { try await load() }
      let sleep = try await time.waitForSleep(ofTask: "retry", for: .seconds(4))
      #expect(time.now.offset == .seconds(3))
      #expect(sleep.taskName == "retry")
      #expect(sleep.start.offset == .seconds(3))
      #expect(sleep.deadline?.offset == .seconds(7))
      #expect(sleep.duration == .seconds(4))
      await time.advance(to: try #require(sleep.deadline))
      try await task.value
      #expect(time.now.offset == .seconds(7))
    }
  }

  @Test func `a sleep that has begun is returned at once`() async throws {
    try await withVirtualTime(.manual) { time in
      for delay in [3, 2] {
        Task(name: "sleeper") { try await time.sleep(for: .seconds(delay)) }
      }
      await time.settle()
      let sleep = try await time.waitForSleep(ofTask: "sleeper")
      #expect(sleep.duration == .seconds(2))
      await time.advance(by: .seconds(3))
    }
  }

  @Test func `sleeps of other tasks and durations are not taken for it`() async throws {
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
      Task(name: "other") { while true { try await Task.sleep(for: .seconds(4)) } }
      Task(name: "retry") { try await load() }
      let sleep = try await time.waitForSleep(ofTask: "retry", for: .seconds(2))
      #expect(sleep.start.offset == .seconds(1))
    }
  }

  @Test(arguments: SleepClock.allCases)
  func `sleeps on other clocks are not taken for it`(clock: SleepClock) async throws {
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
      Task { try await Task.sleep(for: .seconds(1)) }
      Task { try await SuspendingClock().sleep(until: .now + .seconds(2)) }
      Task { try await time.sleep(for: .seconds(3)) }
      let sleep = try await time.waitForSleep(on: clock)
      let durations: [SleepClock: Int] = [.continuous: 1, .suspending: 2, .injected: 3]
      #expect(sleep.duration == durations[clock].map { .seconds($0) })
      #expect(sleep.clock == clock)
      #expect(time.sleepers.first { $0.clock == clock }?.duration == sleep.duration)
    }
  }

  @Test func `a recorded sleep tells its clock, unless it keeps its thread`() async throws {
    try await withVirtualTime { time in
      let sleeps = try await time.recordSleeps {
        try await Task.sleep(nanoseconds: 1)
        try await SuspendingClock().sleep(for: .seconds(1))
        try await time.sleep(for: .seconds(1))
      }
      #expect(sleeps.map(\.clock) == [.continuous, .suspending, .injected])
    }
  }

  @Test func `several who wait for the same sleep get it`() async throws {
    try await withVirtualTime { time in
      async let first = time.waitForSleep(for: .seconds(2))
      async let second = time.waitForSleep(for: .seconds(2))
      try await load()
      #expect(try await first == second)
    }
  }

  @Test func `a wait that is cancelled throws`() async throws {
    try await withVirtualTime { time in
      let waiting = Task { try await time.waitForSleep(ofTask: "nobody") }
      await time.settle()
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await #expect(throws: CancellationError.self) {
        try await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await time.waitForSleep()
        }.value
      }
    }
  }

  @Test func `a sleep that never begins is named in the report`() async throws {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { time in
          _ = try await time.waitForSleep(on: .suspending, ofTask: "re\ntry", for: .seconds(4))
        }
      }
    }
    let wait = "  - a sleep of the task “re try” for 4.0 seconds on SuspendingClock"
    #expect(issues.first?.message.contains(wait) == true)
  }

  // MARK: Recording

  @Test func `the sleeps that begin in a body are recorded in their order`() async throws {
    try await withVirtualTime { time in
      try await Task.sleep(for: .seconds(100))
      let sleeps = try await time.recordSleeps { try await load() }
      try await time.sleep(for: .seconds(100))
      #expect(sleeps.map(\.duration) == [.seconds(1), .seconds(2), .seconds(4)])
      #expect(sleeps.map(\.start.offset) == [.seconds(100), .seconds(101), .seconds(103)])
    }
  }

  @Test func `recordings may overlap, and sleeps of all tasks are in them`() async throws {
    try await withVirtualTime { time in
      let outer = try await time.recordSleeps {
        let inner = try await time.recordSleeps {
          let task = Task(name: "other") { try await time.sleep(for: .seconds(5)) }
          try await Task.sleep(for: .seconds(9))
          try await task.value
        }
        #expect(inner.map(\.duration) == [.seconds(9), .seconds(5)])
        #expect(inner.map(\.taskName) == [nil, "other"])
        try await Task.sleep(for: .seconds(1))
      }
      #expect(outer.count == 3)
    }
  }

  @Test func `an error of the body is passed on, and ends the recording`() async throws {
    try await withVirtualTime { time in
      await #expect(throws: Unavailable.self) {
        _ = try await time.recordSleeps { throw Unavailable() }
      }
      let isEmpty = time.scope.state.withLock { $0.time.sleepers.observers.isEmpty }
      #expect(isEmpty)
    }
  }

  // MARK: Looking

  #if os(Linux)
    @Test(.withoutOptimisation) func `a sleeper says where it sleeps`() async throws {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
        Task { try await load() }
        await time.settle()
        let sleeper = try #require(time.sleepers.first)
        let place = try #require(sleeper.place)
        #expect(place.hasPrefix("VirtualTimeSleepsTests.load()"))
        #expect(sleeper.description.hasSuffix("until +1.0 seconds\n    in \(place)"))
        #expect(time.description.contains("with these sleeping tasks:\n  - task "))
        #expect(time.description.contains(place))
      }
    }
  #endif

  @Test func `the description of the handle tells the time`() async throws {
    try await withVirtualTime { time in
      try await Task.sleep(for: .seconds(3))
      #expect("\(time)" == "virtual time at +3.0 seconds")
    }
  }
}
