#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// Work that takes a while, and does not wait.
  private func compute() {
    var sum: UInt64 = 1
    for number in 0..<UInt64(20_000) { sum = sum &* 31 ^ number }
    precondition(sum != 0)
  }

  /// Runs a body in a scope that has the pool, and in which time moves as soon as it may.
  private func withTicker(_ body: @escaping @Sendable (VirtualTime) async -> Void) async throws {
    try await withVirtualTime(.sharedEventLoops) { time in
      let ticker = Task {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(7)) }
      }
      await body(time)
      ticker.cancel()
    }
  }

  // Scopes that have the shared loops have the pool as well: one test after the other.
  extension SharedEventLoopTests {
    @Suite struct SharedThreadPoolTests {
      private let pool = ThreadPool.shared

      @Test func `a sleep in the shared pool takes virtual time in one scope after the other`()
        async throws
      {
        for minutes in 1...10 as ClosedRange<UInt32> {
          try await withTicker { time in
            await pool.run { sleep(minutes * 60) }
            #expect(time.now.offset == .seconds(minutes * 60))
          }
        }
      }

      @Test func `time does not move while the shared pool computes`() async throws {
        for _ in 0..<10 {
          try await withTicker { time in
            for _ in 0..<5 { await pool.run { compute() } }
            #expect(time.now.offset == .zero)
          }
        }
      }

      @Test func `more work than threads waits in virtual time`() async throws {
        try await withTicker { time in
          await withDiscardingTaskGroup { group in
            for _ in 0..<(3 * ThreadPool.threadCount) {
              group.addTask { await pool.run { sleep(1) } }
            }
          }
          #expect(time.now.offset == .seconds(3))
        }
      }

      @Test(.takingTurns) func `the first use of the pool may be inside the scope`() async {
        await #expect(processExitsWith: .success) {
          try await withTicker { time in
            for seconds in 1...3 as ClosedRange<UInt32> {
              await ThreadPool.shared.run {
                compute()
                sleep(1)
              }
              precondition(time.now.offset == .seconds(seconds))
            }
          }
        }
      }

      @Test func `scopes that want the shared pool wait for each other`() async throws {
        let log = Log<String>()
        try await withThrowingDiscardingTaskGroup { group in
          for _ in 0..<8 {
            group.addTask {
              try await withTicker { time in
                log.append("begins")
                await pool.run { sleep(1) }
                #expect(time.now.offset == .seconds(1))
                log.append("ends")
              }
            }
          }
        }
        #expect(log.entries == (0..<8).flatMap { _ in ["begins", "ends"] })
      }

      @Test func `between scopes the shared pool keeps real time`() async throws {
        try await withVirtualTime(.sharedEventLoops) { _ in await pool.run { sleep(60) } }
        let start = DispatchTime.now().uptimeNanoseconds
        await pool.run { usleep(2_000) }
        #expect(DispatchTime.now().uptimeNanoseconds - start >= 2_000_000)
      }

      // In a process of its own, in which no thread of the pool has waited.
      @Test(.takingTurns)
      func `a thread of the pool that has never waited is in the scope as the others are`()
        async
      {
        await #expect(processExitsWith: .success) {
          let (lock, hasBegun, mayLook) = (NSLock(), Log<Void>(), DispatchSemaphore(value: 0))
          let work = Lock<(@Sendable () -> Void)?>(nil)
          Thread.detachNewThread {
            name_thread("SGLTN-TP-#0")
            hasBegun.append(())
            mayLook.wait()
            lock.withLock { work.withLock { $0.take() } }?()
          }
          await hasBegun.wait(for: 1)
          try await withTicker { time in
            await withCheckedContinuation { done in
              work.withLock {
                $0 = {
                  sleep(60)
                  done.resume()
                }
              }
              mayLook.signal()
            }
            precondition(time.now.offset == .seconds(60))
          }
        }
      }

      @Test func `a thread of the pool that has work outside is not waited for`() async throws {
        let gate = Pipe()
        let isBusy = DispatchSemaphore(value: 0)
        pool.submit {
          isBusy.signal()
          _ = gate.fileHandleForReading.readData(ofLength: 1)
        }
        await Task.detached { isBusy.wait() }.value
        for seconds in 1...3 as ClosedRange<UInt32> {
          try await withTicker { time in
            await pool.run { sleep(seconds) }
            #expect(time.now.offset == .seconds(seconds))
          }
        }
        gate.fileHandleForWriting.write(Data([0]))
      }

      @Test func `the shared pool serves the next scope after one that has left work in it`()
        async throws
      {
        for _ in 0..<3 {
          let isBusy = DispatchSemaphore(value: 0)
          try await withVirtualTime(.sharedEventLoops) { _ in
            pool.submit {
              isBusy.signal()
              sleep(3_600)
            }
            isBusy.wait()
          }
          try await withTicker { time in
            await pool.run { sleep(1) }
            #expect(time.now.offset == .seconds(1))
          }
        }
      }

      @Test func `the shared pool serves the next scopes after one that was given up`() async throws
      {
        for seconds in 1...3 as ClosedRange<UInt32> {
          let issues = await SharedEventLoopTests.giveUpScope { await pool.run { sleep(seconds) } }
          #expect(issues.count == 1)
          #expect(issues.first?.message.contains("is stuck at +\(seconds).0 seconds") == true)
          // Idle threads tell nothing about the cause.
          #expect(issues.first?.message.contains("ThreadPool.nextWork") == false)
          try await withTicker { time in
            await pool.run { sleep(seconds) }
            #expect(time.now.offset == .seconds(seconds))
          }
        }
      }

      @Test(.takingTurns)
      func `a thread of the pool that code of a given-up scope blocks is not waited for`() async {
        await #expect(processExitsWith: .success) {
          _ = await SharedEventLoopTests.giveUpScope {
            await withCheckedContinuation { isBlocked in
              ThreadPool.shared.submit {
                isBlocked.resume()
                DispatchSemaphore(value: 0).wait()
              }
            }
          }
          let warnings = await issues {
            try? await withTicker { time in
              await ThreadPool.shared.run { sleep(1) }
              precondition(time.now.offset == .seconds(1))
            }
          }
          precondition(warnings.map(\.isWarning) == [true])
          precondition(warnings[0].message.contains("A thread that SwiftNIO shares"))
        }
      }

      @Test func `a scope that uses the shared pool without the option is told of it once`()
        async throws
      {
        // The pool is known when its threads have waited for work.
        try await withVirtualTime(.sharedEventLoops) { _ in await pool.run {} }
        let issues = await issues {
          try? await withVirtualTime(.reaching) { _ in
            for _ in 0..<3 { await pool.run {} }
          }
        }
        #expect(issues.map(\.isWarning) == [true])
        #expect(issues.first?.message.contains("'NIOThreadPool.singleton'") == true)
        #expect(issues.first?.message.contains("'.virtualTime(.sharedEventLoops)'") == true)
      }
    }
  }
#endif
