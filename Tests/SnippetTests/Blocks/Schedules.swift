// Running a task each night in a time zone, and testing that without waiting.

import Escapement
import EscapementClocks
import EscapementFoundation
import EscapementTesting
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

private let saturday = Date(timeIntervalSince1970: 1_774_656_000)  // 2026-03-28T00:00:00Z

@Test(.virtualTime(.init(wallClockStart: saturday)))
func `a report is written at three each night, also when clocks change`() async throws {
  let launcher = DefaultPeriodicTaskLauncher()
  let (runs, continuation) = AsyncStream.makeStream(of: WallClock.Instant.self)
  let berlin = TimeZone(identifier: "Europe/Berlin")!
  launcher.on(try .daily(at: "03:00", in: berlin)) { continuation.yield($0) }
  launcher.start()
  try await Task.sleep(for: .seconds(3 * 86_400))
  launcher.stop()

  continuation.finish()
  let nights = await runs.reduce(into: []) { $0.append($1.description) }
  #expect(nights == ["2026-03-28T02:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z"])
}
