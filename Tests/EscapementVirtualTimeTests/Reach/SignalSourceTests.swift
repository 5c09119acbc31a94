#if os(Linux)
  @preconcurrency import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// Waits until a source is registered, while another task sleeps for an hour.
  private func register(_ source: any DispatchSourceSignal, _ log: Log<String>) async {
    let hour = Task { try await Task.sleep(for: .seconds(3600)) }
    await withCheckedContinuation { done in
      source.setRegistrationHandler {
        log.mark("registered")
        done.resume()
      }
      source.resume()
    }
    hour.cancel()
  }

  private func makeSource(of signal: Int32) -> any DispatchSourceSignal {
    DispatchSource.makeSignalSource(signal: signal, queue: DispatchQueue(label: "signals"))
  }

  // Each test has a signal of its own, since all sources of a signal notice it. That of `PollTests` is another one.
  //
  // One after the other: libdispatch loses signals if different ones come at the same time, also in real time.
  @Suite(.virtualStandardClocks, .serialized) struct SignalSourceTests {
    @Test func `a source is registered at the instant at which it is resumed`() async throws {
      let log = try await sameLog { log in
        let source = makeSource(of: SIGUSR1)
        source.setCancelHandler { log.mark("cancelled") }
        try await Task.sleep(for: .milliseconds(1))
        await register(source, log)
        source.cancel()
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(log == ["registered@1", "cancelled@1"])
    }

    @Test func `a signal that the scope sends to its process is noticed at its instant`()
      async throws
    {
      let log = try await sameLog { log in
        let source = makeSource(of: SIGVTALRM)
        source.setEventHandler { log.mark("\(source.data)") }
        await register(source, log)
        for _ in 0..<2 {
          try await Task.sleep(for: .milliseconds(1))
          kill(getpid(), SIGVTALRM)
        }
        try await Task.sleep(for: .milliseconds(1))
        source.cancel()
      }
      #expect(log == ["registered@0", "1@1", "1@2"])
    }

    @Test func `a signal waits while the source is suspended`() async throws {
      let log = try await sameLog { log in
        let source = makeSource(of: SIGWINCH)
        source.setEventHandler { log.mark("signal") }
        await register(source, log)
        source.suspend()
        kill(getpid(), SIGWINCH)
        try await Task.sleep(for: .milliseconds(1))
        log.mark("resumed")
        source.resume()
        try await Task.sleep(for: .milliseconds(1))
        source.cancel()
      }
      #expect(log == ["registered@0", "resumed@1", "signal@1"])
    }

    @Test func `a source that is left over runs its handlers outside`() async throws {
      let log = Log<String>()
      let source = try await withVirtualTime(.reaching) { _ in
        let source = makeSource(of: SIGURG)
        source.setEventHandler { log.mark("signal") }
        await register(source, log)
        return source
      }
      kill(getpid(), SIGURG)
      await log.wait(for: 2)
      source.cancel()
      #expect(log.entries == ["registered@0", "signal@-1"])
    }

    @Test func `a signal that code handles itself does not hold time`() async throws {
      try await withVirtualTime(.reaching) { time in
        let source = makeSource(of: SIGIO)
        await register(source, Log())
        signal(SIGIO) { _ in }
        kill(getpid(), SIGIO)
        try await Task.sleep(for: .seconds(1))
        source.cancel()
        #expect(time.now.offset == .seconds(1))
      }
    }

    @Test func `a source that is released before it is registered does not hold time`() async throws
    {
      try await withVirtualTime(.reaching) { time in
        for _ in 0..<100 {
          let source = makeSource(of: SIGALRM)
          source.resume()
          source.cancel()
        }
        try await Task.sleep(for: .seconds(1))
        #expect(time.now.offset == .seconds(1))
      }
    }
  }
#endif
