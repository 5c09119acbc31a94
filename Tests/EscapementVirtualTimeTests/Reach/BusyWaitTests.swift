import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing
import _EscapementCore

/// Loops that read a clock until some time has passed, and never wait.
enum BusyWait: CaseIterable {
  case date, continuous, dispatch, emptyRunLoop

  /// - Parameter isDone: Ends the loop before its time.
  func callAsFunction(_ duration: Duration, until isDone: () -> Bool = { false }) {
    let seconds = duration / .seconds(1)
    switch self {
    case .date:
      let end = Date() + seconds
      while Date() < end, !isDone() {}
    case .continuous:
      let end = ContinuousClock.now + duration
      while ContinuousClock.now < end, !isDone() {}
    case .dispatch:
      let end = DispatchTime.now() + seconds
      while DispatchTime.now() < end, !isDone() {}
    case .emptyRunLoop:
      let end = Date() + seconds
      while Date() < end, !isDone() { run(before: min(end, Date() + 0.1)) }
    }
  }

  // What `RunLoop` has is not available in asynchronous functions.
  private func run(before date: Date) { _ = RunLoop.current.run(mode: .default, before: date) }
}

@Suite(.virtualStandardClocks) struct BusyWaitTests {
  /// The thread looks at the clock after each millisecond, and a microsecond later.
  private func isExact(_ elapsed: Duration, _ expected: Duration) -> Bool {
    elapsed == expected || elapsed == expected + .microseconds(1)
  }

  @Test(arguments: BusyWait.allCases)
  func `a loop ends at its instant`(wait: BusyWait) async throws {
    let elapsed = Log<Duration>()
    try await withVirtualTime(.reaching) { time in
      let run: @Sendable () -> Void = {
        let start = time.now
        wait(.milliseconds(25))
        elapsed.append(start.duration(to: time.now))
      }
      run()
      await MainActor.run(body: run)
      Thread.detachNewThread(run)
      await elapsed.wait(for: 3)
      DispatchQueue.global().async(execute: run)
      await elapsed.wait(for: 4)
    }
    #expect(elapsed.entries.allSatisfy { isExact($0, .milliseconds(25)) }, "\(elapsed.entries)")
  }

  @Test(arguments: BusyWait.allCases)
  func `other work goes on meanwhile`(wait: BusyWait) async throws {
    let log = try await sameLog(rounds: 2) { log in
      let ticks = Task {
        for i in 0..<3 {
          try? await Task.sleep(for: .milliseconds(10))
          log.mark("tick \(i)")
        }
      }
      DispatchQueue.global().async { log.mark("block") }
      wait(.milliseconds(25))
      log.mark("end")
      await ticks.value
    }
    #expect(log == ["block@0", "tick 0@10", "tick 1@20", "end@25", "tick 2@30"], "\(log)")
  }

  @Test(arguments: BusyWait.allCases)
  func `a loop sees at once what other work has done`(wait: BusyWait) async throws {
    let offsets = Log<Duration>()
    try await withVirtualTime(.reaching) { time in
      let isDone = Lock(false)
      let run: @Sendable () -> Void = {
        wait(.seconds(60)) { isDone.withLock { $0 } }
        offsets.append(time.now.offset)
      }
      Thread.detachNewThread(run)
      Task { run() }
      try await Task.sleep(for: .nanoseconds(3_456_789))
      await Task { isDone.withLock { $0 = true } }.value
      await offsets.wait(for: 2)
    }
    let expected = Duration.nanoseconds(3_456_789)
    #expect(offsets.entries == [expected, expected])
  }

  @Test func `a loop sees what another loop does when it has ended`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let isDone = Lock(false)
      Thread.detachNewThread {
        BusyWait.date(.seconds(60)) { isDone.withLock { $0 } }
        log.mark("second")
      }
      Thread.detachNewThread {
        BusyWait.continuous(.milliseconds(7))
        isDone.withLock { $0 = true }
        log.mark("first")
      }
      await log.wait(for: 2)
    }
    #expect(log == ["first@7", "second@7"], "\(log)")
  }

  @Test(arguments: [false, true])
  func `code that reads a clock a million times takes no time`(
    afterBusyWait: Bool
  ) async throws {
    try await withVirtualTime(.reaching) { time in
      let ticker = Task {
        while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(700)) }
      }
      if afterBusyWait { BusyWait.date(.milliseconds(3)) }
      let start = time.now
      var sum = 0.0
      for _ in 0..<1_000_000 { sum += Date().timeIntervalSince1970 }
      #expect(sum > 0)
      #expect(time.now == start)
      ticker.cancel()
    }
  }

  @Test func `runs of an empty run loop take time only if they are many`() async throws {
    try await withVirtualTime(.reaching) { time in
      let ends = Log<Duration>()
      // On a thread of its own: other tests may have left something in the loop of this one.
      Thread.detachNewThread {
        for _ in 0..<2 {
          for _ in 0..<60 {
            #expect(!RunLoop.current.run(mode: .default, before: Date() + 1))
          }
          ends.append(time.now.offset)
        }
      }
      await ends.wait(for: 2)
      #expect(ends.entries[0] == .zero)
      #expect(ends.entries[1] > .zero)
    }
  }

  @Test func `a loop waits for time that is moved by hand`() async throws {
    try await withVirtualTime(.init(mode: .manual, queuesAndThreads: .virtual)) { time in
      let isDone = Log<Duration>()
      Thread.detachNewThread {
        BusyWait.continuous(.milliseconds(20))
        isDone.append(time.now.offset)
      }
      await time.advance(by: .milliseconds(19))
      #expect(isDone.entries == [])
      await time.advance(by: .milliseconds(6))
      #expect(isDone.entries == [.milliseconds(20)])
    }
  }

  @Test func `a loop that never ends reaches the limit of events`() async throws {
    let options = VirtualTimeOptions(queuesAndThreads: .virtual, eventLimit: 1_000)
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(options) { _ in
          BusyWait.continuous(.seconds(3_600)) { Task.isCancelled }
          try Task.checkCancellation()
        }
      }
    }
    #expect(issues.map { $0.message.contains("is endless: 1000 deadlines") } == [true])
  }

  @Test func `a loop that is left over goes on in real time`() async throws {
    let log = Log<Int>()
    try await withVirtualTime(.reaching) { _ in
      Thread.detachNewThread {
        // In real time, the year 2000 is over.
        BusyWait.date(.seconds(3_600))
        log.append(1)
      }
      try await Task.sleep(for: .seconds(1))
    }
    await log.wait(for: 1)
  }

  @Test func `a loop outside of scopes takes real time`() {
    let start = ContinuousClock.now
    BusyWait.continuous(.milliseconds(5))
    #expect(start.duration(to: .now) >= .milliseconds(5))
  }
}
