// What a timer does when its loop body takes longer than its interval.

import EscapementClocks
import Testing

func ticks(_ missed: MissedTicks) async throws -> [Duration] {
  let clock = ImmediateClock()
  var ticks: [Duration] = []
  for await tick in clock.timer(interval: .seconds(1), missed: missed).prefix(5) {
    ticks.append(tick.offset)
    if ticks.count == 2 { try await clock.sleep(for: .milliseconds(2500)) }
  }
  return ticks
}

@Test(arguments: [MissedTicks.skip: [1, 2, 4.5, 5, 6], .burst: [1, 2, 4.5, 4.5, 5]])
func `ticks are skipped or caught up`(missed: MissedTicks, seconds: [Double]) async throws {
  let ticks = try await ticks(missed)
  #expect(ticks == seconds.map { .seconds($0) })
}
