#if os(Linux)
  import CReach
  import CVirtualTime
  import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  private struct WrongOrder: Error {}

  /// A hand-over in which a reader of a file and something that is ready append to a log.
  private struct HandOver: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: @Sendable (Log<String>) async -> Void

    func run() async throws {
      let log = Log<String>()
      await body(log)
      guard log.entries == ["first", "second"] else { throw WrongOrder() }
    }

    static let all = [
      HandOver(testDescription: "an event loop and a task") { log in
        let loop = EventLoop.start()
        await withCheckedContinuation { rests in loop.execute { rests.resume() } }
        loop.execute {
          log.append("second")
          loop.stop()
        }
        await Task { log.append("first") }.value
        await time(until: 2, log)
      },
      HandOver(testDescription: "an event loop and a block") { log in
        let loop = EventLoop.start()
        await withCheckedContinuation { rests in loop.execute { rests.resume() } }
        loop.execute {
          log.append("second")
          loop.stop()
        }
        DispatchQueue.global().async { log.append("first") }
        await time(until: 2, log)
      },
      HandOver(testDescription: "two event loops") { log in
        let loops = (EventLoop.start(), EventLoop.start())
        await withCheckedContinuation { rests in loops.0.execute { rests.resume() } }
        await withCheckedContinuation { rests in loops.1.execute { rests.resume() } }
        Task {
          loops.1.execute {
            log.append("second")
            loops.1.stop()
          }
          await Task.yield()
          loops.0.execute {
            log.append("first")
            loops.0.stop()
          }
        }
        await time(until: 2, log)
      },
      HandOver(testDescription: "a source of a pipe and a task") { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        source.setEventHandler {
          pipe.receive(1)
          log.append("second")
          source.cancel()
        }
        source.activate()
        await withCheckedContinuation { rests in DispatchQueue.global().async { rests.resume() } }
        pipe.send(1)
        await Task { log.append("first") }.value
        await time(until: 2, log)
        pipe.close()
      },
      HandOver(testDescription: "a thread in poll and a thread") { log in
        let pipe = Ends.ofPipe()
        Thread.detachNewThread {
          var file = pollfd(fd: pipe.from, events: Int16(POLLIN), revents: 0)
          poll(&file, 1, -1)
          log.append("second")
        }
        try? await Task.sleep(for: .seconds(1))
        pipe.send(1)
        Thread.detachNewThread { log.append("first") }
        await time(until: 2, log)
        pipe.close()
      },
    ]

    private static func time(until count: Int, _ log: Log<String>) async {
      while log.count < count { try? await Task.sleep(for: .seconds(1)) }
    }
  }

  @Suite(.virtualStandardClocks) struct ExploredFileTests {
    @Test(arguments: HandOver.all.indices)
    func `who waits for a file overtakes ready work`(index: Int) async throws {
      let handOver = HandOver.all[index]
      for _ in 0..<3 { try await withVirtualTime(.reaching) { _ in try await handOver.run() } }
      let report = try await withExploration(1_000, options: .reaching) { _ in
        try await handOver.run()
      }
      let failure = try #require(report.failure, "\(handOver.testDescription)")
      #expect(failure.messages == ["WrongOrder()"])
      #expect(failure.schedule.overtakings.count <= 2, "\(failure)")
      #expect(report.firstDifference == nil)
      for _ in 0..<3 {
        await #expect(throws: WrongOrder.self) {
          try await withVirtualTime(.reaching, order: .schedule("\(failure.schedule)")) { _ in
            try await handOver.run()
          }
        }
        let seed = try #require(failure.seed)
        await #expect(throws: WrongOrder.self) {
          try await withVirtualTime(.reaching, order: .seed(seed)) { _ in try await handOver.run() }
        }
      }
    }

    @Test(.takingTurns) func `a wait that was given up is none of a later scope at the same place`()
      async
    {
      await #expect(processExitsWith: .success) {
        var options = VirtualTimeOptions.reaching
        options.leftovers = .ignore
        options.stallLimit = .milliseconds(20)
        options.holdLimit = .milliseconds(20)
        let numbers = Log<UInt32>()
        let problems = await issues {
          await #expect(throws: VirtualTimeError.bodyGivenUp) {
            try await withVirtualTime(options) { _ in
              numbers.append(cvt_thread_number())
              let pipe = Ends.ofPipe()
              Thread.detachNewThread {
                var file = pollfd(fd: pipe.from, events: Int16(POLLIN), revents: 0)
                poll(&file, 1, -1)
              }
              await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
          }
        }
        #expect(!problems.isEmpty)
        let place = Int(numbers.entries[0]) % cvt_max_scopes
        var (isThere, waits) = (false, false)
        while !isThere {
          try await withVirtualTime(.reaching) { _ in
            isThere = Int(cvt_thread_number()) % cvt_max_scopes == place
            waits = rch_waits_for_files(cvt_thread_number())
          }
        }
        #expect(!waits)
      }
    }

    @Test func `a report tells that the scope looks at its files`() async throws {
      let report = try await withExploration(1_000, options: .reaching) { _ in
        try await HandOver.all[0].run()
      }
      let steps = try #require(report.failure?.steps)
      #expect(
        steps.contains { $0.contains("the scope looks at its files before task") }, "\(steps)")
    }

    @Test func `a loop without work costs few looks`() async throws {
      let report = try await withExploration(20, options: .reaching) { _ in
        let loop = EventLoop.start()
        await withCheckedContinuation { rests in loop.execute { rests.resume() } }
        await withTaskGroup { group in for _ in 0..<50 { group.addTask {} } }
        loop.stop()
      }
      #expect(report.failure == nil)
      #expect(report.decisionPoints / report.schedulesTried < 2 * 50 + 50)
    }

    /// Now and then a thread that looks at files without waiting lets others run.
    @Test func `a seed gives the same order on threads that have looked at files before`()
      async throws
    {
      for seed in UInt64(0)..<20 {
        var logs: [[String]] = []
        for _ in 0..<2 {
          let log = Log<String>()
          try await withVirtualTime(.reaching, order: .seed(seed)) { _ in
            for number in 0..<4 { DispatchQueue.global().async { log.mark("\(number)") } }
            var none = pollfd()
            none.fd = -1
            for _ in 0..<40 { poll(&none, 1, 0) }
            log.mark("body")
            await log.wait(for: 5)
          }
          logs.append(log.entries)
        }
        #expect(logs[0] == logs[1], "seed \(seed)")
      }
    }
  }
#endif
