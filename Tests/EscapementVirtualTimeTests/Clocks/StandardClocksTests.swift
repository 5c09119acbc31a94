import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The readings of the platform's clocks, in nanoseconds.
private func readings() -> [String: Int64] {
  func clock(_ id: clockid_t) -> Int64 {
    var reading = timespec()
    clock_gettime(id, &reading)
    return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
  }
  var readings = [
    "CLOCK_REALTIME": clock(CLOCK_REALTIME),
    "CLOCK_MONOTONIC": clock(CLOCK_MONOTONIC),
    "CLOCK_MONOTONIC_RAW": clock(CLOCK_MONOTONIC_RAW),
    "DispatchTime": Int64(DispatchTime.now().uptimeNanoseconds),
    "ProcessInfo": Int64((ProcessInfo.processInfo.systemUptime * 1_000_000_000).rounded()),
  ]
  #if os(Linux)
    readings["CLOCK_REALTIME_COARSE"] = clock(CLOCK_REALTIME_COARSE)
    readings["CLOCK_MONOTONIC_COARSE"] = clock(CLOCK_MONOTONIC_COARSE)
    readings["CLOCK_BOOTTIME"] = clock(CLOCK_BOOTTIME)
  #endif
  return readings
}

private func timeOfDay() -> (seconds: Int, microseconds: Int) {
  var reading = timeval()
  gettimeofday(&reading, nil)
  return (reading.tv_sec, Int(reading.tv_usec))
}

@Suite(.virtualStandardClocks) struct StandardClocksTests {
  private let odd = Duration.nanoseconds(86_400_000_000_001)

  // MARK: Sleeping

  @Test(arguments: KindOfSleep.allCases)
  func `sleeps are exact to the nanosecond`(kind: KindOfSleep) async throws {
    try await withVirtualTime { time in
      for nanoseconds in [1, 999_999_999, 1_000_000_000, 86_400_000_000_001] as [Int64] {
        let start = time.now
        try await kind.sleep(for: .nanoseconds(nanoseconds), time)
        #expect(start.duration(to: time.now) == .nanoseconds(nanoseconds))
      }
    }
  }

  @Test func `all forms of sleeping are virtual`() async throws {
    try await withVirtualTime { time in
      try await Task.sleep(for: .seconds(1))
      try await Task.sleep(for: .seconds(1), tolerance: .seconds(5))
      try await Task.sleep(for: .seconds(1), clock: .suspending)
      try await Task.sleep(nanoseconds: 1_000_000_000)
      try await Task.sleep(until: .now + .seconds(1))
      try await Task.sleep(until: .now + .seconds(1), tolerance: .seconds(1), clock: .suspending)
      try await ContinuousClock().sleep(for: .seconds(1))
      try await ContinuousClock().sleep(until: .now + .seconds(1), tolerance: .zero)
      try await SuspendingClock().sleep(for: .seconds(1))
      let anyClock: any Clock<Duration> = ContinuousClock()
      try await anyClock.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(10))
    }
  }

  // MARK: Reading

  @Test func `the standard clocks read virtual time`() async throws {
    try await withVirtualTime { time in
      let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
      #expect(ContinuousClock.now == continuous)
      await time.advance(by: odd)
      #expect(continuous.duration(to: .now) == odd)
      #expect(suspending.duration(to: .now) == odd)
      #expect(ContinuousClock.Instant.now == ContinuousClock().now)
    }
  }

  @Test func `measuring returns virtual time`() async throws {
    try await withVirtualTime { time in
      let continuous = try await ContinuousClock().measure { try await Task.sleep(for: odd) }
      let suspending = try await SuspendingClock().measure { try await Task.sleep(for: odd) }
      #expect(continuous == odd)
      #expect(suspending == odd)
      #expect(ContinuousClock().measure {} == .zero)
    }
  }

  @Test func `Date and its relatives read virtual time`() async throws {
    try await withVirtualTime { time in
      #expect(Date() == Date(timeIntervalSince1970: 946_684_800))
      #expect(Foundation.time(nil) == 946_684_800)
      #expect(timeOfDay() == (946_684_800, 0))
      await time.advance(by: .seconds(86_400) + .microseconds(1500))
      #expect(Date.now.timeIntervalSince1970 == 946_771_200.0015)
      #expect(Date(timeIntervalSinceNow: 0).timeIntervalSince1970 == 946_771_200.0015)
      var seconds = time_t()
      #expect(Foundation.time(&seconds) == 946_771_200)
      #expect(seconds == 946_771_200)
      #expect(timeOfDay() == (946_771_200, 1500))
      #expect(Date().formatted(.iso8601) == "2000-01-02T00:00:00Z")
    }
  }

  @Test func `the clocks of the C library and of Dispatch move with virtual time`() async throws {
    try await withVirtualTime { time in
      let before = readings()
      #expect(readings() == before)
      await time.advance(by: .nanoseconds(1_000_000_512))
      for (name, reading) in readings() where name != "ProcessInfo" {
        #expect(reading - before[name]! == 1_000_000_512, "\(name)")
      }
    }
  }

  @Test func `processor time stays real`() async throws {
    try await withVirtualTime { _ in
      var reading = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &reading)
      let before = reading
      for _ in 0..<20 { _ = readings() }
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &reading)
      #expect((before.tv_sec, before.tv_nsec) < (reading.tv_sec, reading.tv_nsec))
    }
  }

  @Test func `the wall clock starts at the time of the option`() async throws {
    for (start, expected) in [
      (.zero, "1970-01-01T00:00:00Z"), (.seconds(-1), "1969-12-31T23:59:59Z"),
      (.seconds(4_102_444_800), "2100-01-01T00:00:00Z"),
    ] as [(Duration, String)] {
      try await withVirtualTime(VirtualTimeOptions(wallClockStart: start)) { _ in
        #expect(Date().formatted(.iso8601) == expected)
        try await Task.sleep(for: .seconds(1))
        #expect(Date().timeIntervalSince1970 == Double(start.components.seconds + 1))
      }
    }
  }

  @Test func `before 1970 a fraction of a second counts from the second before`() async throws {
    try await withVirtualTime(VirtualTimeOptions(wallClockStart: Duration.milliseconds(-1500))) {
      time in
      #expect(timeOfDay() == (-2, 500_000))
      await time.advance(by: .milliseconds(500))
      #expect(timeOfDay() == (-1, 0))
    }
  }

  @Test func `the monotonic clocks start at their real reading`() async throws {
    let before = (ContinuousClock.now, SuspendingClock.now)
    let inside = try await withVirtualTime { _ in (ContinuousClock.now, SuspendingClock.now) }
    #expect(before.0 <= inside.0 && inside.0 <= .now)
    #expect(before.1 <= inside.1 && inside.1 <= .now)
  }

  @Test func `an instant before the start of the scope has passed`() async throws {
    let before = ContinuousClock.now
    try await withVirtualTime(VirtualTimeOptions(mode: .manual)) { time in
      try await Task.sleep(until: before, clock: .continuous)
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `all tasks of a scope read the same time on every executor`() async throws {
    try await withVirtualTime { time in
      await time.advance(by: odd)
      let here = ContinuousClock.now
      #expect(await Task.detached { ContinuousClock.now }.value == here)
      #expect(await Task { @MainActor in ContinuousClock.now }.value == here)
      async let child = ContinuousClock.now
      #expect(await child == here)
    }
  }

  @Test func `scopes side by side read different times`() async throws {
    try await withThrowingTaskGroup { group in
      for day in 1...8 {
        group.addTask {
          try await withVirtualTime { _ in
            for round in 1...10 {
              try await Task.sleep(for: .seconds(86_400 * day))
              let expected = 946_684_800 + 86_400 * day * round
              #expect(Foundation.time(nil) == expected)
              await MainActor.run { #expect(Foundation.time(nil) == expected) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: Real standard clocks

  @Test func `with real standard clocks the handle's time stays virtual`()
    async throws
  {
    let before = Date()
    try await withVirtualTime(VirtualTimeOptions(standardClocks: .real)) { time in
      #expect(Date() >= before)
      let start = ContinuousClock.now
      try await time.sleep(for: .seconds(1000))
      #expect(time.now.offset == .seconds(1000))
      #expect(start.duration(to: .now) < .seconds(1000))
      #expect(Date().timeIntervalSince(before) < 1000)
    }
  }
}
