#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  @Suite(.virtualStandardClocks) struct EventLoopTests {
    /// Sleeps again and again, and so would take time along if it could be moved wrongly.
    private func ticking<Result>(_ body: () async throws -> Result) async rethrows -> Result {
      let ticker = Task {
        while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(700)) }
      }
      defer { ticker.cancel() }
      return try await body()
    }

    @Test func `a timer of an event loop fires at its virtual time`() async throws {
      let log = try await sameLog { log in
        let loop = EventLoop.start()
        await withCheckedContinuation { done in
          loop.schedule(after: 3_600_000) { log.mark("after an hour") }
          loop.schedule(after: 20) { log.mark("after 20 ms") }
          loop.schedule(after: 3_600_001) {
            loop.stop()
            done.resume()
          }
        }
        log.mark("end")
      }
      #expect(log == ["after 20 ms@20", "after an hour@3600000", "end@3600001"])
    }

    @Test func `an event loop without work is not shown where a scope is stuck`() async throws {
      let reported = try await issues {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { _ in
          let loop = EventLoop.start()
          let (never, continuation) = AsyncStream.makeStream(of: Int.self)
          for await _ in never {}
          withExtendedLifetime(continuation) { loop.stop() }
        }
      }
      let message = try #require(reported.first?.message)
      #expect(message.contains("is stuck at +0.0 seconds"))
      #expect(!message.contains("These threads"), "\(message)")
    }

    @Test func `time does not move while an event loop has work`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let loops = (EventLoop.start(), EventLoop.start())
        await ticking {
          for i in 0..<10 {
            await withCheckedContinuation { done in
              loops.0.execute { loops.1.execute { loops.0.execute { done.resume() } } }
            }
            if i % 5 == 4 { log.mark("\(i)") }
          }
        }
        loops.0.stop()
        loops.1.stop()
      }
      #expect(log == ["4@0", "9@0"])
    }

    @Test func `bytes under way on the loopback interface arrive before time moves`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let loops = (EventLoop.start(), EventLoop.start())
        let (client, server) = connectedFiles()
        loops.1.whenReadable(server) {
          var byte: UInt8 = 0
          read(server, &byte, 1)
          loops.1.schedule(after: 10) { [byte] in
            var byte = byte
            write(server, &byte, 1)
          }
        }
        await withCheckedContinuation { done in
          loops.0.whenReadable(client) {
            var byte: UInt8 = 0
            // A process that begins now has all files open for a moment. If it closes the server's first, the client
            // sees that.
            guard read(client, &byte, 1) == 1 else { return }
            log.mark("\(byte)")
            byte += 1
            if byte < 5 { write(client, &byte, 1) } else { done.resume() }
          }
          loops.0.execute {
            var byte: UInt8 = 1
            write(client, &byte, 1)
          }
        }
        loops.0.stop()
        loops.1.stop()
        close(client)
        close(server)
      }
      #expect(log == ["1@10", "2@20", "3@30", "4@40"])
    }

    @Test func `a task that yields sees what an event loop has done`() async throws {
      let log = try await sameLog(rounds: 5) { log in
        let loop = EventLoop.start()
        let isDone = Lock(false)
        loop.execute { isDone.withLock { $0 = true } }
        while !isDone.withLock({ $0 }) { await Task.yield() }
        log.mark("done")
        loop.stop()
      }
      #expect(log == ["done@0"])
    }

    @Test func `an event loop that never waits lets tasks run`() async throws {
      let log = try await sameLog(rounds: 5) { log in
        let loop = EventLoop.start()
        let isDone = Lock(false)
        @Sendable func spin() { isDone.withLock { $0 } ? log.mark("done") : loop.execute(spin) }
        loop.execute(spin)
        await Task { isDone.withLock { $0 = true } }.value
        await log.wait(for: 1)
        loop.stop()
      }
      #expect(log == ["done@0"])
    }

    @Test func `epoll_wait times out at its virtual time`() async throws {
      let log = try await sameLog(rounds: 5) { log in
        let epoll = make_epoll()
        var ready = [Int32](repeating: -1, count: 16)
        Task {
          try await Task.sleep(for: .milliseconds(7))
          log.mark("task")
        }
        #expect(wait_for_epoll(epoll, 9, &ready) == 0)
        log.mark("timed out")
        #expect(wait_for_epoll(epoll, 0, &ready) == 0)
        log.mark("asked")
        close(epoll)
      }
      #expect(log == ["task@7", "timed out@9", "asked@9"])
    }

    @Test func `two threads that wait for a file get an event each`() async throws {
      let log = try await sameLog(rounds: 20) { log in
        let (epoll, events) = (make_epoll(), make_eventfd(true))
        add_to_epoll(epoll, events)
        for i in 0..<2 {
          Thread.detachNewThread {
            var (ready, value) = ([Int32](repeating: -1, count: 16), UInt64(0))
            wait_for_epoll(epoll, -1, &ready)
            read(events, &value, 8)
            log.mark("\(i)")
          }
        }
        for _ in 0..<2 {
          try await Task.sleep(for: .milliseconds(1))
          write_eventfd(events, 1)
        }
        await log.wait(for: 2)
        close(epoll)
        close(events)
      }
      #expect(log == ["0@1", "1@2"])
    }

    @Test func `a file that another process could make ready wakes a scope that waits`()
      async throws
    {
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      let (from, to) = (ends[0], ends[1])
      try await withVirtualTime(.reaching) { time in
        let loop = EventLoop.start()
        // Code inside `hold` does real work, as another process would.
        async let other: Void = time.hold {
          await withCheckedContinuation { written in
            DispatchQueue.global().async {
              var byte: UInt8 = 1
              write(to, &byte, 1)
              written.resume()
            }
          }
        }
        await withCheckedContinuation { done in
          loop.whenReadable(from) {
            var byte: UInt8 = 0
            read(from, &byte, 1)
            done.resume()
          }
        }
        await other
        #expect(time.now.offset == .zero)
        loop.stop()
      }
      close(from)
      close(to)
    }

    @Test func `an event loop that is left over goes on in real time`() async throws {
      let loops = Lock<[EventLoop]>([])
      let log = Log<String>()
      try await withVirtualTime(.reaching) { _ in
        let loop = EventLoop.start()
        loops.withLock { $0 = [loop] }
        loop.schedule(after: 1_000_000) { log.append("never") }
        await withCheckedContinuation { done in loop.execute { done.resume() } }
      }
      let loop = loops.withLock { $0[0] }
      await withCheckedContinuation { done in loop.execute { done.resume() } }
      loop.stop()
      #expect(log.entries == [])
    }

    @Test func `scopes with event loops run side by side`() async throws {
      try await withThrowingTaskGroup(of: Duration.self) { group in
        for i in 1...8 {
          group.addTask {
            try await withVirtualTime(.reaching) { time in
              let loop = EventLoop.start()
              await withCheckedContinuation { done in
                loop.schedule(after: UInt64(i)) { done.resume() }
              }
              loop.stop()
              return time.now.offset
            }
          }
        }
        let offsets = try await group.reduce(into: []) { $0.append($1) }
        #expect(offsets.sorted() == (1...8).map { .milliseconds($0) })
      }
    }
  }
#endif
