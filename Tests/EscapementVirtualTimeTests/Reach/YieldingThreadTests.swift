import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing
import _EscapementCore

/// Threads that yield in a loop until other code of the scope has set a flag.
@Suite(.virtualStandardClocks) struct YieldingThreadTests {
  @Test func `a thread that yields lets ready blocks run`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let flag = Lock(false)
      Thread.detachNewThread {
        log.mark("begin")
        while !flag.withLock({ $0 }) { sched_yield() }
        log.mark("end")
      }
      DispatchQueue.global().async { flag.withLock { $0 = true } }
      await log.wait(for: 2)
    }
    #expect(log == ["begin@0", "end@0"], "\(log)")
  }

  @Test func `a thread that sleeps for no time lets ready blocks run`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let flag = Lock(false)
      Thread.detachNewThread {
        log.mark("begin")
        while !flag.withLock({ $0 }) { sleep(0) }
        log.mark("end")
      }
      DispatchQueue.global().async { flag.withLock { $0 = true } }
      await log.wait(for: 2)
    }
    #expect(log == ["begin@0", "end@0"], "\(log)")
  }

  @Test func `a thread that yields goes on at the instant at which a sleeper ends the loop`()
    async throws
  {
    let log = try await sameLog(rounds: 2) { log in
      let flag = Lock(false)
      Thread.detachNewThread {
        while !flag.withLock({ $0 }) { sched_yield() }
        log.mark("end")
      }
      try await Task.sleep(for: .milliseconds(1500))
      flag.withLock { $0 = true }
      await log.wait(for: 1)
    }
    #expect(log == ["end@1500"], "\(log)")
  }

  @Test func `two threads that yield end each other's loops`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let turn = Lock(0)
      for parity in 0..<2 {
        Thread.detachNewThread {
          for round in 0..<3 {
            while turn.withLock({ $0 }) != 2 * round + parity { sched_yield() }
            log.mark("\(parity)")
            turn.withLock { $0 += 1 }
          }
        }
      }
      await log.wait(for: 6)
    }
    #expect(log == ["0@0", "1@0", "0@0", "1@0", "0@0", "1@0"], "\(log)")
  }

  @Test func `code that yields often, and waits for nothing, goes on`() async throws {
    try await withVirtualTime(.reaching) { time in
      for _ in 0..<5_000 { sched_yield() }
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `code that yields and reads clocks, and waits for nothing, takes no time`()
    async throws
  {
    try await withVirtualTime(.reaching) { time in
      for _ in 0..<5_000 {
        _ = ContinuousClock.now
        sched_yield()
      }
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `a loop that yields ends when a flag is set, after code that has read clocks`()
    async throws
  {
    try await withVirtualTime(.reaching) { time in
      for number in 0..<512 {
        if number == 500 { _ = ContinuousClock.now }
        sched_yield()
      }
      _ = ContinuousClock.now
      let isDone = Lock(false)
      DispatchQueue.global().async { isDone.withLock { $0 = true } }
      while !isDone.withLock({ $0 }) { sched_yield() }
      #expect(time.now.offset == .zero)
    }
  }

  @Test(arguments: [false, true])
  func `a loop that yields until a clock has moved ends at that time`(
    isBesideSleeper: Bool
  ) async throws {
    try await withVirtualTime(.reaching) { time in
      let sleeper = isBesideSleeper ? Task { try await Task.sleep(for: .seconds(60)) } : nil
      defer { sleeper?.cancel() }
      let end = Date() + 0.25
      while Date() < end { sched_yield() }
      #expect(time.now.offset == .milliseconds(250))
    }
  }
}
