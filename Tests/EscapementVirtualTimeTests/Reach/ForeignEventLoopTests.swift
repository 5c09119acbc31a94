#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  @Suite(.virtualStandardClocks) struct ForeignEventLoopTests {
    @Test func `an event loop from outside the scope cancels the body with a failure`()
      async throws
    {
      let loop = EventLoop.start()
      let line = #line + 2
      let issues = await issues {
        await #expect(throws: VirtualTimeError.limitReached) {
          try await withVirtualTime(.reaching) { _ in
            try await Task.sleep(for: .seconds(2))
            loop.execute {}
            loop.execute {}
            try await Task.sleep(for: .seconds(60))
          }
        }
      }
      #expect(issues.map(\.line) == [line])
      let message = try #require(issues.first?.message)
      #expect(message.contains("has used an event loop at +2.0 seconds"), "\(message)")
      #expect(
        message.contains(
          "It was made outside of this scope, for example in a 'static let' or in another test. It runs"
        ), "\(message)")
      loop.stop()
    }

    @Test(.takingTurns)
    func `a file that has the number of a closed one of another scope is no such loop`()
      async
    {
      await #expect(processExitsWith: .success) {
        let number = try await withVirtualTime(.reaching) { _ in
          let files = [make_eventfd(false), make_eventfd(false)]
          for file in files { close(file) }
          return files[1]
        }
        try await withVirtualTime(.reaching) { _ in
          let file = fcntl(make_eventfd(false), F_DUPFD, number)
          #expect(file == number)
          write_eventfd(file, 1)
        }
      }
    }

    @Test(.withoutThreadSanitizer) func `the report says who used the loop`() async throws {
      let loop = EventLoop.start()
      let issues = await issues {
        try? await withVirtualTime(.reaching) { _ in
          let task = Task(name: "refresh") { loop.execute {} }
          await task.value
          try await Task.sleep(for: .seconds(60))
        }
      }
      let message = try #require(issues.first?.message)
      #expect(message.contains(/task \d+ “refresh” used it/), "\(message)")
      #expect(message.contains("EventLoop.execute(_:)"), "\(message)")
      loop.stop()
    }

    @Test(.takingTurns) func `a process that dies of the cancellation has printed why`()
      async throws
    {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let loop = EventLoop.start()
        try? await withVirtualTime(.reaching) { _ in
          loop.execute {}
          do { try await Task.sleep(for: .seconds(60)) } catch { fatalError("not shut down") }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Fatal error: not shut down"), "\(text)")
      #expect(text.contains("virtual-time scope has used an event loop at +0.0"), "\(text)")
    }

    @Test func `an event loop of another scope is reported, although the body has ended`()
      async throws
    {
      let loops = Log<EventLoop>()
      try await withVirtualTime(.reaching) { _ in loops.append(EventLoop.start()) }
      let issues = try await issues {
        try await withVirtualTime(.reaching) { _ in loops.entries[0].execute {} }
      }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains("has used an event loop at +0.0 seconds") == true)
      loops.entries[0].stop()
    }

    @Test func `inside a hold, event loops from outside are real and allowed`() async throws {
      let loop = EventLoop.start()
      let issues = try await issues {
        try await withVirtualTime(.reaching) { time in
          await time.hold {
            await withCheckedContinuation { done in
              loop.schedule(after: 1) { done.resume() }
            }
          }
          #expect(time.now.offset == .zero)
        }
      }
      #expect(issues.isEmpty)
      loop.stop()
    }

    @Test func `the loops of the scope are not reported`() async throws {
      let issues = try await issues {
        try await withVirtualTime(.reaching) { _ in
          let loop = EventLoop.start()
          await withCheckedContinuation { done in loop.schedule(after: 1) { done.resume() } }
          loop.stop()
        }
      }
      #expect(issues.isEmpty)
    }
  }
#endif
