// Running a task each night in a time zone, and testing that without waiting.

import Escapement
import EscapementClocks
import EscapementFoundation
import Foundation
import Testing

struct Housekeeping {
  let launcher: any PeriodicTaskLauncher
  let removeExpired: @Sendable (WallClock.Instant) async -> Void

  func start() throws {
    let berlin = TimeZone(identifier: "Europe/Berlin")!
    launcher.on(try .cron("30 2 * * *", in: berlin), launch: removeExpired)
    launcher.start()
  }
}

@Test func `the task runs once per night when clocks change`() async throws {
  let clock = TestClock()
  let saturday = WallClock.Instant(try Date("2026-03-28T00:00:00Z", strategy: .iso8601))
  let launcher = DefaultPeriodicTaskLauncher(
    clock: clock, wallClock: WallClock(startingAt: saturday, movingWith: clock))
  let (runs, continuation) = AsyncStream.makeStream(of: WallClock.Instant.self)
  try Housekeeping(launcher: launcher) { continuation.yield($0) }.start()

  var iterator = runs.makeAsyncIterator()
  for expected in ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"] {
    try await clock.waitForSleepers(count: 1)
    await clock.advanceToNextDeadline()
    let run = await iterator.next()
    #expect(run?.description == expected)
  }
  launcher.stop()
}
