import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Waits of a thread for 20 ms.
enum ThreadWait: CaseIterable {
  case sleep, foundationSleep, semaphore, wallSemaphore, group, condition, runLoop, loop
  case asyncAfter, timer

  func callAsFunction() {
    switch self {
    case .sleep: usleep(20_000)
    case .foundationSleep: Thread.sleep(forTimeInterval: 0.02)
    case .semaphore: _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.02)
    case .wallSemaphore: _ = DispatchSemaphore(value: 0).wait(wallTimeout: .now() + 0.02)
    case .group:
      let group = DispatchGroup()
      group.enter()
      _ = group.wait(timeout: .now() + 0.02)
    case .condition:
      let condition = NSCondition()
      condition.lock()
      while condition.wait(until: Date() + 0.02) {}
      condition.unlock()
    case .runLoop:
      // A run loop without a source returns at once.
      let timer = Timer(timeInterval: 3600, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.run(until: Date() + 0.02)
      timer.invalidate()
    case .loop: BusyWait.date(.milliseconds(20))
    case .asyncAfter:
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { semaphore.signal() }
      semaphore.wait()
    case .timer:
      let semaphore = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler { semaphore.signal() }
      timer.schedule(wallDeadline: .now() + 0.02)
      timer.activate()
      semaphore.wait()
      timer.cancel()
    }
  }
}

@Suite(.virtualStandardClocks) struct TickingWaitTests {
  @Test(
    arguments: ThreadWait.allCases,
    [Duration.zero, .nanoseconds(1), .microseconds(1), .microseconds(100)])
  func `a wait takes its time where clocks tick`(wait: ThreadWait, tick: Duration) async throws {
    var options = VirtualTimeOptions.reaching
    options.clockTick = tick
    let elapsed = Log<Duration>()
    try await withVirtualTime(options) { time in
      for _ in 0..<2 {
        Thread.detachNewThread {
          let start = time.now
          wait()
          elapsed.append(start.duration(to: time.now))
        }
      }
      await elapsed.wait(for: 2)
    }
    // A loop that reads clocks ends before, by what it has read.
    let shortest = Duration.milliseconds(wait == .loop ? 0 : 18)
    let expected = shortest...Duration.milliseconds(21)
    #expect(elapsed.entries.allSatisfy(expected.contains), "\(elapsed.entries)")
  }
}
