#if os(Linux)
  import CEventFiles
  import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  @Suite(.virtualTime) struct CrashTests {
    /// Ways in which code of a host goes on for ever: it notes each second.
    enum Kind: CaseIterable {
      case task, child, actor, mainActor, thread, worker, block, serialBlock, later, timer
      case lock, semaphore, posixSemaphore, condition, group, queue, poll, runLoop
    }

    private actor Pulse {
      func beat(_ log: Log<String>) async throws {
        while true {
          log.append("beat")
          try await Task.sleep(for: .seconds(1))
        }
      }
    }

    @MainActor private static func beatOnMain(_ log: Log<String>) async throws {
      while true {
        log.append("beat")
        try await Task.sleep(for: .seconds(1))
      }
    }

    private static func go(_ kind: Kind, _ log: Log<String>) async throws {
      switch kind {
      case .task:
        while true {
          log.append("beat")
          try await Task.sleep(for: .seconds(1))
        }
      case .child:
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await go(.task, log) }
          try await group.waitForAll()
        }
      case .actor: try await Pulse().beat(log)
      case .mainActor: try await beatOnMain(log)
      case .thread:
        Thread.detachNewThread { beat(log) { sleep(1) } }
      case .worker:
        beat(log) { sleep(1) }
      case .block:
        DispatchQueue.global().async { beat(log) { sleep(1) } }
      case .serialBlock:
        DispatchQueue(label: "serial").async { beat(log) { sleep(1) } }
      case .later: later(log)
      case .timer:
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { [timer] in
          _ = timer
          log.append("beat")
        }
        timer.schedule(deadline: .now(), repeating: 1)
        timer.activate()
      case .lock:
        let lock = NSLock()
        Thread.detachNewThread { lock.withLock { while true { sleep(1) } } }
        Thread.detachNewThread { beat(log) { _ = lock.lock(before: .now + 1) } }
      case .posixSemaphore:
        Thread.detachNewThread {
          let locks = make_posix_locks()
          beat(log) { wait_for_posix_semaphore(locks, 1_000_000_000, true) }
        }
      case .semaphore:
        let semaphore = DispatchSemaphore(value: 0)
        Thread.detachNewThread { beat(log) { _ = semaphore.wait(timeout: .now() + 1) } }
      case .condition:
        let condition = NSCondition()
        Thread.detachNewThread {
          beat(log) { condition.withLock { _ = condition.wait(until: .now + 1) } }
        }
      case .group:
        let group = DispatchGroup()
        group.enter()
        Thread.detachNewThread { beat(log) { _ = group.wait(timeout: .now() + 1) } }
      case .queue:
        let queue = DispatchQueue(label: "queue")
        Thread.detachNewThread {
          while true {
            queue.sync {}
            sleep(1)
          }
        }
        Thread.detachNewThread { beat(log) { queue.sync { _ = sleep(1) } } }
      case .runLoop:
        Thread.detachNewThread {
          let timer = Foundation.Timer(timeInterval: 1, repeats: true) { _ in log.append("beat") }
          RunLoop.current.add(timer, forMode: .default)
          RunLoop.current.run()
        }
      case .poll:
        Thread.detachNewThread { beat(log) { rest(milliseconds: 1000) } }
      }
    }

    private static func beat(_ log: Log<String>, _ wait: () -> Void) {
      while true {
        log.append("beat")
        wait()
      }
    }

    private static func later(_ log: Log<String>) {
      log.append("beat")
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { later(log) }
    }

    @Test(arguments: Kind.allCases) func `nothing of a host that has crashed goes on`(
      kind: Kind
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      let log = Log<String>()
      host.run { try await Self.go(kind, log) }
      try await Task.sleep(for: .seconds(10.5))
      let before = log.entries.count
      #expect(before >= 8)
      host.crash()
      #expect(host.hasCrashed)
      try await Task.sleep(for: .seconds(100))
      #expect(log.entries.count == before)
      host.restart()
      #expect(!host.hasCrashed)
      try await Task.sleep(for: .seconds(10.5))
      #expect(log.entries.count >= before + 8)
    }

    @Test(arguments: Kind.allCases) func `a host that was paused goes on where it was`(
      kind: Kind
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      let log = Log<String>()
      host.run { try await Self.go(kind, log) }
      try await Task.sleep(for: .seconds(10.5))
      let before = log.entries.count
      host.pause()
      #expect(host.isPaused)
      try await Task.sleep(for: .seconds(100))
      #expect(log.entries.count == before)
      host.resume()
      #expect(!host.isPaused)
      try await Task.sleep(for: .seconds(10.5))
      #expect(log.entries.count >= before + 8)
    }

    // MARK: Calls

    @Test func `a call of a host that crashes throws, and so does the next one`() async throws {
      let host = try SimulatedNetwork().host("host")
      let start = ContinuousClock.now
      async let crash: Void = {
        try? await Task.sleep(for: .seconds(5))
        host.crash()
      }()
      let expected = SimulatedHost.Crash(host: "host")
      await #expect(throws: expected) {
        try await host.perform { try await Task.sleep(for: .seconds(60)) }
      }
      await crash
      await #expect(throws: expected) { try await host.perform {} }
      #expect(ContinuousClock.now - start == .seconds(5))
      host.restart()
      #expect(try await host.perform { 1 } == 1)
    }

    @Test func `a caller of a host that has crashed is cancelled, and the host is not told`()
      async throws
    {
      let host = try SimulatedNetwork().host("host")
      let log = Log<String>()
      let caller = Task {
        try await host.perform {
          try await withTaskCancellationHandler {
            try await Task.sleep(for: .seconds(60))
          } onCancel: {
            log.append("cancelled")
          }
        }
      }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      caller.cancel()
      await #expect(throws: SimulatedHost.Crash.self) { try await caller.value }
      #expect(log.entries == [])
    }

    @Test func `a call of a paused host waits`() async throws {
      let host = try SimulatedNetwork().host("host")
      host.pause()
      let start = ContinuousClock.now
      async let resumed: Void = {
        try? await Task.sleep(for: .seconds(5))
        host.resume()
      }()
      #expect(try await host.perform { ContinuousClock.now - start } == .seconds(5))
      await resumed
    }

    @Test func `a host that crashes itself goes on until it suspends`() async throws {
      let host = try SimulatedNetwork().host("host")
      let log = Log<String>()
      await #expect(throws: SimulatedHost.Crash.self) {
        try await host.perform {
          host.crash()
          log.append("still here")
          await Task.yield()
          log.append("gone")
        }
      }
      await #expect(throws: SimulatedHost.Crash.self) {
        host.restart()
        try await host.perform {
          host.crash()
          await Self.hop()
          log.append("gone")
        }
      }
      #expect(log.entries == ["still here"])
    }

    @MainActor private static func hop() {}

    @Test func `a thread that crashes its own host ends where it waits next`() async throws {
      let network = try SimulatedNetwork()
      let log = Log<String>()
      let waits: [@Sendable () -> Void] = [{ _ = sleep(1) }, { rest(milliseconds: 1) }]
      for (number, wait) in waits.enumerated() {
        let host = network.host("host\(number)")
        host.performNow {
          DispatchQueue.global().async {
            host.crash()
            log.append("still here")
            wait()
            log.append("gone")
          }
        }
      }
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["still here", "still here"])
    }

    @Test func `code that runs on the caller's thread goes on when its host crashes`()
      async throws
    {
      let host = try SimulatedNetwork().host("host")
      Thread.detachNewThread {
        rest(milliseconds: 500)
        host.crash()
      }
      let start = ContinuousClock.now
      host.performNow { _ = sleep(1) }
      #expect(host.hasCrashed)
      #expect(ContinuousClock.now - start == .seconds(1))
      let reported = issues { #expect(host.performNow { 1 } == 1) }
      #expect(reported.map(\.message).contains { $0.contains("The host 'host' has crashed.") })
    }

    // MARK: What live code shares with a host

    private actor Shared {
      func wait(_ log: Log<String>, _ text: String) {
        sleep(1)
        log.append(text)
      }
    }

    /// Lets tasks of two hosts wait in the mailbox of a shared actor, the stopped host's first.
    private func share() async throws -> (stopped: SimulatedHost, log: Log<String>) {
      let network = try SimulatedNetwork()
      let (stopped, live) = (network.host("stopped"), network.host("live"))
      let (shared, log) = (Shared(), Log<String>())
      live.run { await shared.wait(log, "first") }
      try await Task.sleep(for: .milliseconds(1))
      stopped.run { await shared.wait(log, "stopped") }
      live.run { await shared.wait(log, "second") }
      try await Task.sleep(for: .milliseconds(1))
      return (stopped, log)
    }

    @Test func `a dead task in the mailbox of a shared actor does not run, and others do`()
      async throws
    {
      let (stopped, log) = try await share()
      stopped.crash()
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["first", "second"])
    }

    @Test func `a paused task in the mailbox of a shared actor lets others go first`()
      async throws
    {
      let (stopped, log) = try await share()
      stopped.pause()
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["first", "second"])
      stopped.resume()
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["first", "second", "stopped"])
    }

    @Test func `dead blocks and threads let others into a shared queue`() async throws {
      let network = try SimulatedNetwork()
      let (dead, live) = (network.host("dead"), network.host("live"))
      let (shared, log) = (DispatchQueue(label: "shared"), Log<String>())
      @Sendable func submit(_ text: String) {
        shared.async {
          sleep(1)
          log.append(text)
        }
      }
      live.run { submit("first") }
      try await Task.sleep(for: .milliseconds(1))
      dead.run {
        submit("dead block")
        Thread.detachNewThread { shared.sync { log.append("dead thread") } }
      }
      try await Task.sleep(for: .milliseconds(1))
      live.run {
        submit("second")
        Thread.detachNewThread { shared.sync { log.append("thread") } }
      }
      try await Task.sleep(for: .milliseconds(1))
      dead.crash()
      try await Task.sleep(for: .seconds(10))
      #expect(log.entries == ["first", "second", "thread"])
    }

    @Test func `a hold of a host that has crashed does not hold time`() async throws {
      let host = try SimulatedNetwork().host("host")
      host.run {
        try await VirtualTime.required.hold {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
      await Task.yield()
      await Task.yield()
      host.crash()
      try await Task.sleep(for: .seconds(1))
    }

    @Test func `a source of a host that has crashed is freed by the one that drops it`()
      async throws
    {
      final class Object: Sendable {}
      weak var object: Object?
      let host = try SimulatedNetwork().host("host")
      let timer = Lock<(any DispatchSourceTimer)?>(nil)
      let captured = Lock<Object?>(Object())
      object = captured.withLock { $0 }
      host.run {
        let made = DispatchSource.makeTimerSource()
        made.setEventHandler { [object = captured.withLock { $0.take() }] in _ = object }
        made.activate()
        timer.withLock { $0 = made }
      }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      #expect(object != nil)
      timer.withLock { $0 = nil }
      try await Task.sleep(for: .seconds(1))
      #expect(object == nil)
    }

    @Test func `time does not wait for the sleeps of a host that has crashed`() async throws {
      let time = try VirtualTime.required
      let host = try SimulatedNetwork().host("host")
      host.run { try await Task.sleep(for: .seconds(7)) }
      host.run { DispatchQueue.global().asyncAfter(deadline: .now() + 7) {} }
      host.run { sleep(7) }
      try await Task.sleep(for: .seconds(1))
      #expect(time.sleepers.count == 2)
      host.crash()
      try await Task.sleep(for: .seconds(1))
      #expect(time.sleepers.isEmpty)
    }

    // MARK: What a crash leaves

    private static func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
    }
  }
#endif
