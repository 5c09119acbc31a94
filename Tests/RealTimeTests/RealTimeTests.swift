import Dispatch
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// Does something on another thread in so many real milliseconds.
///
/// Not with `asyncAfter`: the `DispatchTime.now()` of a scope is virtual, but the queue's is not.
private func afterAWhile(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
    body()
  }
}

/// The only tests that wait.
///
/// Real time is only compared with lower limits, and with upper ones that no machine reaches.
@Suite struct RealTimeTests {
  private let moment = Duration.milliseconds(5)

  @Test func `outside, time is real while scopes run`() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10 {
            try await withVirtualTime { _ in
              for _ in 0..<50 { try await Task.sleep(for: .seconds(1000)) }
            }
          }
        }
      }
      for _ in 0..<8 {
        group.addTask {
          #expect(VirtualTime.current == nil)
          let (start, date, uptime) = (ContinuousClock.now, Date(), DispatchTime.now())
          try await Task.sleep(for: moment)
          let elapsed = start.duration(to: .now)
          #expect(elapsed >= moment)
          #expect(elapsed < .seconds(600))
          #expect(Date().timeIntervalSince(date) < 600)
          #expect(
            DispatchTime.now().uptimeNanoseconds - uptime.uptimeNanoseconds < 600_000_000_000)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a simulated year takes no more than seconds`() async throws {
    let start = ContinuousClock.now
    try await withVirtualTime { _ in
      for _ in 0..<365 { try await Task.sleep(for: .seconds(86_400)) }
    }
    #expect(start.duration(to: .now) < .seconds(600))
  }

  @Test func `an undeclared wake-up from outside comes back within the stall limit`() async throws {
    let options = VirtualTimeOptions(queuesAndThreads: .real, stallLimit: .seconds(600))
    try await withVirtualTime(options) { time in
      try await Task.sleep(for: .seconds(5))
      let answer = await withCheckedContinuation { continuation in
        afterAWhile(20) { continuation.resume(returning: 42) }
      }
      #expect(answer == 42)
      #expect(time.now.offset == .seconds(5))
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(6))
    }
  }

  @Test func `each wait has the whole stall limit`() async throws {
    let limit = Duration.milliseconds(500)
    let options = VirtualTimeOptions(standardClocks: .real, stallLimit: limit)
    var longest = Duration.zero
    let issues = try await issues {
      longest = try await withVirtualTime(options) { _ in
        var longest = Duration.zero
        for _ in 0..<8 {
          let start = ContinuousClock.now
          await withCheckedContinuation { continuation in
            afterAWhile(80) { continuation.resume() }
          }
          longest = max(longest, start.duration(to: .now))
        }
        return longest
      }
    }
    // All the waits together are longer than the limit, but none is, unless the machine is busy.
    #expect(issues.isEmpty || longest >= limit)
  }

  @Test func `the stall limit is real time`() async throws {
    let start = ContinuousClock.now
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(30))) { _ in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      }
    }
    #expect(issues.map { $0.message.contains("is stuck at +0.0 seconds") } == [true])
    #expect(start.duration(to: .now) >= .milliseconds(30))
    #expect(start.duration(to: .now) < .seconds(600))
  }

  @Test func `a hold lasts as long as its work, beyond the stall limit`() async throws {
    let start = ContinuousClock.now
    try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(1))) { time in
      Task { try await Task.sleep(for: .seconds(1)) }
      await time.hold {
        await withCheckedContinuation { continuation in
          afterAWhile(20) { continuation.resume() }
        }
      }
      #expect(time.now.offset == .zero)
      await time.run()
    }
    #expect(start.duration(to: .now) >= .milliseconds(20))
  }

  @Test func `real standard clocks really wait, and virtual time stands meanwhile`() async throws {
    try await withVirtualTime(VirtualTimeOptions(standardClocks: .real)) { time in
      let other = Task { try await time.sleep(for: .seconds(1000)) }
      let start = ContinuousClock.now
      try await Task.sleep(for: moment)
      try await Task.sleep(nanoseconds: 5_000_000)
      try await SuspendingClock().sleep(for: moment)
      #expect(start.duration(to: .now) >= moment * 3)
      #expect(time.now.offset == .zero)
      try await other.value
      #expect(time.now.offset == .seconds(1000))
    }
  }

  @Test func `a real sleep in a scope can be cancelled`() async throws {
    let start = ContinuousClock.now
    try await withVirtualTime(VirtualTimeOptions(standardClocks: .real)) { time in
      let task = Task { try await Task.sleep(for: .seconds(1000)) }
      let onMain = Task { @MainActor in try await Task.sleep(for: .seconds(1000)) }
      try await Task.sleep(for: moment)
      task.cancel()
      onMain.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await #expect(throws: CancellationError.self) { try await onMain.value }
      try await time.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
    }
    #expect(start.duration(to: .now) < .seconds(600))
  }
}
