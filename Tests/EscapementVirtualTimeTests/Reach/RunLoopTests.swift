#if os(Linux)
  import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// Run loops of threads and of the scope's own thread.
  @Suite(.virtualStandardClocks) struct RunLoopTests {
    /// A run ends when it is past its end, and Foundation looks at the time in microseconds.
    private func isExact(_ elapsed: Duration, _ expected: Duration) -> Bool {
      (expected - .nanoseconds(10)...expected + .nanoseconds(1_100)).contains(elapsed)
    }

    /// A timer that keeps the run loop from being empty.
    private static func addIdleTimer() -> Timer {
      let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      return timer
    }

    @Test(arguments: [0.001, 0.05, 1, 3.7, 86_400])
    func `a run ends at its instant, in a thread and in the scope's own thread`(
      seconds: Double
    ) async throws {
      var first: [Duration]?
      for _ in 0..<20 {
        let elapsed = Log<Duration>()
        try await withVirtualTime(.reaching) { time in
          let run: @Sendable () -> Void = {
            let idle = Self.addIdleTimer()
            let start = time.now
            RunLoop.current.run(until: Date() + seconds)
            elapsed.append(start.duration(to: time.now))
            idle.invalidate()
          }
          Thread.detachNewThread(run)
          await elapsed.wait(for: 1)
          run()
        }
        try #require(elapsed.count == 2)
        for elapsed in elapsed.entries {
          try #require(isExact(elapsed, .seconds(seconds)), "\(elapsed)")
        }
        try #require(elapsed.entries == first ?? elapsed.entries)
        first = elapsed.entries
      }
    }

    @Test func `a run in a mode returns false if there is nothing to wait for`() async throws {
      try await withVirtualTime(.reaching) { time in
        let results = Log<Bool>()
        // The run loop of another thread may have timers of other tests.
        Thread.detachNewThread {
          results.append(RunLoop.current.run(mode: .default, before: Date() + 5))
        }
        await results.wait(for: 1)
        #expect(results.entries == [false])
        #expect(time.now.offset == .zero)
      }
    }

    @Test func `timers fire at their instants, and other work goes on meanwhile`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        Thread.detachNewThread {
          let timer = Timer(fire: Date() + 0.01, interval: 0.02, repeats: true) { _ in
            log.mark("timer")
          }
          RunLoop.current.add(timer, forMode: .default)
          let later = Timer.scheduledTimer(withTimeInterval: 0.03, repeats: false) { _ in
            log.mark("once")
          }
          RunLoop.current.run(until: Date() + 0.06)
          timer.invalidate()
          later.invalidate()
          log.mark("end")
        }
        for i in 0..<3 {
          try await Task.sleep(for: .milliseconds(15))
          log.mark("task \(i)")
        }
        await log.wait(for: 8)
      }
      #expect(
        log == [
          "timer@10", "task 0@15", "task 1@30", "once@30", "timer@30", "task 2@45", "timer@50",
          "end@60",
        ], "\(log)")
    }

    @Test func `a timer that another thread adds wakes a run loop`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let loop = Lock<RunLoopOfThread?>(nil)
        let isReady = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          let idle = RunLoopTests.addIdleTimer()
          loop.withLock { $0 = RunLoopOfThread(loop: .current) }
          isReady.signal()
          RunLoop.current.run(until: Date() + 1)
          log.mark("end")
          idle.invalidate()
        }
        wait(for: isReady)
        try await Task.sleep(for: .milliseconds(250))
        loop.withLock { $0 }!.addTimer(firingAfter: 0.5) { log.mark("timer") }
        await log.wait(for: 2)
      }
      #expect(log == ["timer@750", "end@1000"], "\(log)")
    }

    @Test func `run loops of several scopes run side by side`() async throws {
      try await withThrowingTaskGroup(of: Duration.self) { group in
        for i in 1...8 {
          group.addTask {
            try await withVirtualTime(.reaching) { time in
              await withCheckedContinuation { done in
                Thread.detachNewThread {
                  let idle = RunLoopTests.addIdleTimer()
                  RunLoop.current.run(until: Date() + Double(i))
                  idle.invalidate()
                  done.resume()
                }
              }
              return time.now.offset
            }
          }
        }
        let offsets = try await group.reduce(into: []) { $0.append($1) }
        for (offset, seconds) in zip(offsets.sorted(), 1...) {
          #expect(isExact(offset, .seconds(seconds)), "\(offset)")
        }
      }
    }
  }

  private struct RunLoopOfThread: @unchecked Sendable {
    // Sendable because only that is called which Foundation allows on other threads.
    let loop: RunLoop

    func addTimer(firingAfter seconds: Double, _ body: @escaping @Sendable () -> Void) {
      let timer = Timer(fire: Date() + seconds, interval: 0, repeats: false) { _ in body() }
      loop.add(timer, forMode: .default)
    }
  }

  private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
#endif
