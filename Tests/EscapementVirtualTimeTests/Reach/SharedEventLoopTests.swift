#if os(Linux)
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// Waits for a timer of a loop.
  private func sleep(on loop: EventLoop, milliseconds: UInt64) async {
    await withCheckedContinuation { done in
      loop.schedule(after: milliseconds) { done.resume() }
    }
  }

  @Suite(.virtualStandardClocks, .serialized) struct SharedEventLoopTests {
    private let loop = EventLoop.start(threadName: "NIO-SGLTN-0-#0")

    /// Runs a scope whose body uses shared threads, and then blocks for ever.
    static func giveUpScope(_ use: @escaping @Sendable () async -> Void) async -> [ReportedIssue] {
      var options = VirtualTimeOptions.sharedEventLoops
      options.stallLimit = .milliseconds(20)
      return await issues { [options] in
        try? await withVirtualTime(options) { _ in
          await use()
          DispatchSemaphore(value: 0).wait()
        }
      }
    }

    @Test func `a shared loop follows the time of one scope after the other`() async throws {
      for hours in 1...10 as ClosedRange<UInt64> {
        try await withVirtualTime(.sharedEventLoops) { time in
          await sleep(on: loop, milliseconds: hours * 3_600_000)
          #expect(time.now.offset == .seconds(hours * 3_600))
        }
      }
      loop.stop()
    }

    @Test(.plainOrder(because: "It tells the order of two loops."))
    func `shared loops are in the order of their first use`() async throws {
      let loops = [loop, EventLoop.start(threadName: "NIO-SGLTN-0-#1")]
      for first in [0, 1, 0] {
        let log = Log<String>()
        try await withVirtualTime(.sharedEventLoops) { _ in
          let (one, other) = (loops[first], loops[1 - first])
          // A thread that waits for no file.
          Thread.detachNewThread { _ = poll(nil, 0, 1_000) }
          for loop in [one, other] { await sleep(on: loop, milliseconds: 1) }
          other.execute { log.append("other") }
          one.execute { log.append("one") }
          try await Task.sleep(for: .seconds(2))
        }
        #expect(log.entries == ["one", "other"], "loop \(first) is used first")
      }
      loops.forEach { $0.stop() }
    }

    @Test func `time does not move while a shared loop has work`() async throws {
      for _ in 0..<10 {
        try await withVirtualTime(.sharedEventLoops) { time in
          let ticker = Task {
            while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(1)) }
          }
          for _ in 0..<10 {
            await withCheckedContinuation { done in loop.execute { done.resume() } }
          }
          #expect(time.now.offset == .zero)
          ticker.cancel()
        }
      }
      loop.stop()
    }

    @Test func `scopes that want the shared loops wait for each other`() async throws {
      let log = Log<String>()
      try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { [loop] in
            try await withVirtualTime(.sharedEventLoops) { time in
              log.append("begins")
              await sleep(on: loop, milliseconds: 1_000)
              #expect(time.now.offset == .seconds(1))
              log.append("ends")
            }
          }
        }
      }
      #expect(log.entries == (0..<8).flatMap { _ in ["begins", "ends"] })
      loop.stop()
    }

    @Test func `between scopes a shared loop keeps real time`() async throws {
      try await withVirtualTime(.sharedEventLoops) { _ in
        await sleep(on: loop, milliseconds: 60_000)
      }
      let start = DispatchTime.now().uptimeNanoseconds
      await sleep(on: loop, milliseconds: 2)
      #expect(DispatchTime.now().uptimeNanoseconds - start >= 2_000_000)
      loop.stop()
    }

    @Test func `a shared loop serves the next scopes after one that was given up`() async throws {
      for seconds in 1...3 as ClosedRange<UInt64> {
        let issues = await Self.giveUpScope { await sleep(on: loop, milliseconds: seconds * 1_000) }
        #expect(issues.count == 1)
        #expect(issues.first?.message.contains("is stuck at +\(seconds).0 seconds") == true)
        try await withVirtualTime(.sharedEventLoops) { time in
          await sleep(on: loop, milliseconds: seconds * 1_000)
          #expect(time.now.offset == .seconds(seconds))
        }
      }
      loop.stop()
    }

    @Test func `a shared loop may end in a scope`() async throws {
      try await withVirtualTime(.sharedEventLoops) { time in
        await sleep(on: loop, milliseconds: 1_000)
        loop.stop()
        try await Task.sleep(for: .seconds(1))
        #expect(time.now.offset == .seconds(2))
      }
    }

    @Test(.takingTurns)
    func `a shared loop that code of a given-up scope blocks is not waited for`() async {
      await #expect(processExitsWith: .success) {
        let blocked = EventLoop.start(threadName: "NIO-SGLTN-0-#0")
        let other = EventLoop.start(threadName: "NIO-SGLTN-0-#1")
        _ = await Self.giveUpScope {
          await withCheckedContinuation { isBlocked in
            blocked.execute {
              isBlocked.resume()
              DispatchSemaphore(value: 0).wait()
            }
          }
        }
        let warnings = await issues {
          try? await withVirtualTime(.sharedEventLoops) { time in
            await sleep(on: other, milliseconds: 1_000)
            precondition(time.now.offset == .seconds(1))
          }
        }
        precondition(warnings.map(\.isWarning) == [true])
        precondition(warnings[0].message.contains("A thread that SwiftNIO shares"))
      }
    }

    @Test func `a server that was started outside may run on a shared loop, and is not reported`()
      async throws
    {
      let server = listeningSocket()
      let issues = try await issues {
        try await withVirtualTime(.sharedEventLoops) { _ in
          _ = close(connectedSocket(to: server.port))
        }
      }
      close(server.socket)
      #expect(issues.isEmpty)
      loop.stop()
    }

    @Test func `a scope that uses a shared loop without the option is told of it`() async throws {
      let issues = await issues {
        await #expect(throws: VirtualTimeError.limitReached) {
          try await withVirtualTime(.reaching) { _ in
            loop.execute {}
            try await Task.sleep(for: .seconds(1))
          }
        }
      }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains("'.virtualTime(.sharedEventLoops)'") == true)
      loop.stop()
    }
  }
#endif
