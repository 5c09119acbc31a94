// Every way to call swift-clocks 1.0, with only the import changed. This file tests that the calls
// compile. It is not run.

import EscapementClocks

private func testClock() async throws {
  let clock = TestClock()
  let _: TestClock<Duration> = TestClock<Duration>(now: .init())
  let _: TestClock<Duration> = .init(now: TestClock.Instant(offset: .seconds(1)))
  let frames = TestClock<Frames>()
  let _ = TestClock<Frames>(now: .init(offset: Frames(count: 1)))
  let _ = TestClock(now: TestClock<Frames>.Instant())

  let now: TestClock<Duration>.Instant = clock.now
  let later = now.advanced(by: .seconds(1))
  let _: Duration = now.duration(to: later)
  let _: Bool = now < later && now == later
  let _: Set = [now, later]

  clock.minimumResolution = .seconds(1)
  let _: Duration = clock.minimumResolution

  try await clock.sleep(until: later)
  try await clock.sleep(until: later, tolerance: nil)
  try await clock.sleep(until: later, tolerance: .seconds(1))
  try await clock.sleep(for: .seconds(1))
  try await clock.sleep(for: .seconds(1), tolerance: .zero)
  try await Task.sleep(until: later, clock: clock)
  try await Task.sleep(for: .seconds(1), clock: clock)

  await clock.advance()
  await clock.advance(by: .seconds(1))
  await clock.advance(to: later)
  await frames.advance(by: Frames(count: 1))
  await clock.run()
  await clock.run(timeout: .seconds(1))
  await clock.run(
    timeout: .seconds(1), fileID: #fileID, filePath: #filePath, line: #line, column: #column)

  do {
    try await clock.checkSuspension()
  } catch is SuspensionError {}
}

private func immediateClock() async throws {
  let clock = ImmediateClock()
  let _: ImmediateClock<Duration> = ImmediateClock(now: .init())
  let _ = ImmediateClock<Frames>()
  let _ = ImmediateClock(now: ImmediateClock<Frames>.Instant(offset: .zero))
  let inferred: some Clock<Duration> = .immediate
  takesClock(inferred)
  takesClock(.immediate)

  let now: ImmediateClock<Duration>.Instant = clock.now
  let _ = clock.now == ImmediateClock.Instant().advanced(by: .seconds(10))
  let _: Duration = clock.minimumResolution
  try await clock.sleep(until: now, tolerance: nil)
  try await clock.sleep(for: .seconds(1))
}

private func unimplementedClock() async throws {
  let clock = UnimplementedClock()
  let _ = UnimplementedClock(name: "ContinuousClock")
  let _ = UnimplementedClock<Duration>(name: "Clock", now: .init())
  let _ = UnimplementedClock<Frames>()
  let _ = UnimplementedClock<Frames>(name: "Frames")
  let _ = UnimplementedClock(ContinuousClock())
  let _ = UnimplementedClock(TestClock<Frames>(), name: "Frames")
  let _ = UnimplementedClock(
    ContinuousClock(), name: "Clock",
    fileID: #fileID, filePath: #filePath, line: #line, column: #column)
  let _ = UnimplementedClock<Duration>(
    name: "Clock", now: .init(offset: .zero),
    fileID: #fileID, filePath: #filePath, line: #line, column: #column)
  let inferred: some Clock<Duration> = .unimplemented()
  takesClock(inferred)
  takesClock(.unimplemented())
  takesClock(.unimplemented(fileID: #fileID, filePath: #filePath, line: #line, column: #column))

  let now: UnimplementedClock<Duration>.Instant = clock.now
  let _: Duration = now.duration(to: now.advanced(by: .seconds(1)))
  let _: Bool = now < now
  let _: Duration = clock.minimumResolution
  try await clock.sleep(until: now, tolerance: nil)
  try await clock.sleep(for: .seconds(1))
}

private func anyClock(_ existential: any Clock<Duration>) async throws {
  let clock = AnyClock(existential)
  let _: AnyClock<Duration> = AnyClock(ContinuousClock())
  let _: AnyClock<Frames> = AnyClock(TestClock<Frames>())

  let now: AnyClock<Duration>.Instant = clock.now
  let _: Duration = now.duration(to: now.advanced(by: .seconds(1)))
  let _: Bool = now < now
  let _: Duration = clock.minimumResolution
  try await clock.sleep(until: now)
  try await clock.sleep(until: now, tolerance: .seconds(1))
  try await clock.sleep(for: .seconds(1))
  takesClock(clock)
}

private func timers(_ existential: any Clock<Duration>, _ generic: some Clock<Duration>) async {
  let timer: _AsyncTimerSequence<AnyClock<Duration>> = existential.timer(interval: .seconds(1))
  let _ = generic.timer(interval: .seconds(1), tolerance: .seconds(1))
  let _ = TestClock<Frames>().timer(interval: Frames(count: 1))
  for await tick in timer {
    let _: AnyClock<Duration>.Instant = tick
  }
  var iterator: _AsyncTimerSequence<AnyClock<Duration>>.Iterator = timer.makeAsyncIterator()
  let _: AnyClock<Duration>.Instant? = await iterator.next()
  let _: _AsyncTimerSequence<AnyClock<Duration>>.Element? = await iterator.next()
  for await _ in existential.timer(interval: .seconds(1)).prefix(2) {}
}

private func takesClock(_ clock: some Clock<Duration>) {}

#if canImport(SwiftUI)
  import SwiftUI

  private struct Views: View {
    @Environment(\.continuousClock) var continuousClock
    @Environment(\.suspendingClock) var suspendingClock

    var body: some View {
      Text("").environment(\.continuousClock, ImmediateClock())
        .environment(\.suspendingClock, TestClock())
    }
  }
#endif
