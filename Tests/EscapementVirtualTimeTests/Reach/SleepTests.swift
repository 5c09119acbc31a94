import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Sleeps of the C library, with what each is to take.
enum BlockingSleep: CaseIterable {
  case sleep, usleep, nanosleep, clockNanosleep, untilMonotonic, untilWallClock, foundation

  var duration: Duration {
    switch self {
    case .sleep: .seconds(2)
    case .usleep: .microseconds(1_500_001)
    case .nanosleep, .clockNanosleep: .nanoseconds(1_000_000_001)
    case .untilMonotonic, .untilWallClock: .nanoseconds(3_000_000_001)
    case .foundation: .milliseconds(50)
    }
  }

  func callAsFunction() {
    switch self {
    case .sleep: _ = Foundation.sleep(2)
    case .usleep: Foundation.usleep(1_500_001)
    case .nanosleep:
      var t = timespec(tv_sec: 1, tv_nsec: 1)
      Foundation.nanosleep(&t, nil)
    case .clockNanosleep:
      sleep(CLOCK_MONOTONIC, timespec(tv_sec: 1, tv_nsec: 1), isInstant: false)
    case .untilMonotonic: sleepUntil(CLOCK_MONOTONIC)
    case .untilWallClock: sleepUntil(CLOCK_REALTIME)
    case .foundation: Thread.sleep(forTimeInterval: 0.05)
    }
  }

  private func sleepUntil(_ clock: clockid_t) {
    var t = timespec()
    clock_gettime(clock, &t)
    let sum = t.tv_nsec + 1
    t = timespec(tv_sec: t.tv_sec + 3 + sum / 1_000_000_000, tv_nsec: sum % 1_000_000_000)
    sleep(clock, t, isInstant: true)
  }

  /// Only Linux has the function, and virtual sleeps of threads.
  private func sleep(_ clock: clockid_t, _ time: timespec, isInstant: Bool) {
    #if os(Linux)
      var time = time
      clock_nanosleep(clock, isInstant ? TIMER_ABSTIME : 0, &time, nil)
    #endif
  }
}

/// Sleeps, and returns by how much three clocks have moved on.
private func timeTaken(by sleep: BlockingSleep) -> [Duration] {
  var wall = timespec()
  clock_gettime(CLOCK_REALTIME, &wall)
  let (continuous, dispatch) = (ContinuousClock.now, DispatchTime.now())
  sleep()
  let ofContinuous = continuous.duration(to: .now)
  let ofDispatch = DispatchTime.now().uptimeNanoseconds - dispatch.uptimeNanoseconds
  var later = timespec()
  clock_gettime(CLOCK_REALTIME, &later)
  let ofWall =
    Duration.seconds(later.tv_sec - wall.tv_sec) + .nanoseconds(later.tv_nsec - wall.tv_nsec)
  return [ofContinuous, .nanoseconds(Int64(ofDispatch)), ofWall]
}

@Suite(.virtualStandardClocks) struct SleepTests {
  /// Foundation computes with seconds as `Double`, and goes on to sleep while a difference is left.
  private func isExact(_ elapsed: [Duration], _ sleep: BlockingSleep) -> Bool {
    let tolerance: Duration = sleep == .foundation ? .nanoseconds(10) : .zero
    return Set(elapsed).count == 1
      && (sleep.duration...sleep.duration + tolerance).contains(elapsed[0])
  }

  @Test(arguments: BlockingSleep.allCases)
  func `a task's sleep takes exactly its time by three clocks`(sleep: BlockingSleep)
    async throws
  {
    for _ in 0..<20 {
      let elapsed = try await withVirtualTime(.reaching) { _ in timeTaken(by: sleep) }
      #expect(isExact(elapsed, sleep), "\(elapsed)")
    }
  }

  @Test(arguments: BlockingSleep.allCases)
  func `a block's sleep takes exactly its time by three clocks`(sleep: BlockingSleep)
    async throws
  {
    for _ in 0..<20 {
      let elapsed = try await withVirtualTime(.reaching) { _ in
        await withCheckedContinuation { done in
          DispatchQueue.global().async { done.resume(returning: timeTaken(by: sleep)) }
        }
      }
      #expect(isExact(elapsed, sleep), "\(elapsed)")
    }
  }

  @Test(arguments: BlockingSleep.allCases)
  func `a sleep on the main actor takes exactly its time by three clocks`(
    sleep: BlockingSleep
  ) async throws {
    for _ in 0..<20 {
      let elapsed = try await withVirtualTime(.reaching) { _ in
        await MainActor.run { timeTaken(by: sleep) }
      }
      #expect(isExact(elapsed, sleep), "\(elapsed)")
    }
  }

  @Test func `what else is in the scope goes on while a task sleeps`() async throws {
    let log = try await sameLog { log in
      let ticks = Task {
        for i in 0..<3 {
          try? await Task.sleep(for: .milliseconds(10))
          log.mark("tick \(i)")
        }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(15)) { log.mark("block") }
      block(for: 0.025)
      log.mark("slept")
      await ticks.value
    }
    #expect(log == ["tick 0@10", "block@15", "tick 1@20", "slept@25", "tick 2@30"])
  }

  @Test func `a sleep that is left over ends with its scope`() async throws {
    for _ in 0..<20 {
      let ended = DispatchSemaphore(value: 0)
      try await withVirtualTime(.reaching) { _ in
        DispatchQueue.global().async {
          sleep(1_000_000)
          ended.signal()
        }
        try await Task.sleep(for: .seconds(1))
      }
      waitBlocking(for: ended)
    }
  }
}

private func block(for seconds: Double) { usleep(useconds_t(seconds * 1_000_000)) }
private func waitBlocking(for semaphore: DispatchSemaphore) { semaphore.wait() }
