#if os(Linux)
  import EscapementVirtualTime
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
      #expect(issues.first?.message.contains("has used an event loop at +2.0 seconds") == true)
      loop.stop()
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
