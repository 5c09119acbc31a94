#if os(Linux)
  import CEventFiles
  import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  /// The machine of a host is suspended two seconds after the host began to wait.
  @Suite(.virtualTime) struct SuspendedHostTests {
    /// Ways to wait for ten seconds of a machine.
    enum Wait: CaseIterable {
      case suspendingClock, deadlineOfSuspendingClock, sleep, clock, poll, condition, semaphore
      case group, later, timer, timerFile
    }

    private static func wait(_ wait: Wait) async throws {
      switch wait {
      case .suspendingClock: try await Task.sleep(for: .seconds(10), clock: .suspending)
      case .deadlineOfSuspendingClock:
        let deadline = SuspendingClock.now + .seconds(10)
        try await Task.sleep(until: deadline, clock: .suspending)
      case .sleep:
        var duration = timespec(tv_sec: 10, tv_nsec: 0)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, nil)
      case .clock:
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += 10
        clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &deadline, nil)
      case .poll: rest(milliseconds: 10_000)
      case .condition:
        var (condition, mutex) = (pthread_cond_t(), pthread_mutex_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(&condition, &attributes)
        pthread_mutex_init(&mutex, nil)
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += 10
        pthread_mutex_lock(&mutex)
        while pthread_cond_timedwait(&condition, &mutex, &deadline) == 0 {}
        pthread_mutex_unlock(&mutex)
      case .semaphore: _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 10)
      case .group:
        let group = DispatchGroup()
        group.enter()
        _ = group.wait(timeout: .now() + 10)
        group.leave()
      case .later:
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 10) { continuation.resume() }
        }
      case .timer:
        let timer = DispatchSource.makeTimerSource()
        let beats = Log<Void>()
        timer.setEventHandler { beats.append(()) }
        timer.schedule(deadline: .now() + 2, repeating: 4)
        timer.activate()
        await beats.wait(for: 3)
        timer.cancel()
      case .timerFile:
        let file = make_timerfd(Int32(CLOCK_MONOTONIC))
        var before: [Int64] = [0, 0]
        set_timerfd(file, false, 10_000_000_000, 0, &before)
        var poll = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        Glibc.poll(&poll, 1, -1)
        close(file)
      }
    }

    private static func sleep(until end: Date) {
      var end = timespec(tv_sec: Int(end.timeIntervalSince1970), tv_nsec: 0)
      clock_nanosleep(CLOCK_REALTIME, Int32(TIMER_ABSTIME), &end, nil)
    }

    private static func waitForNothing(until end: Date) {
      let condition = NSCondition()
      condition.withLock { _ = condition.wait(until: end) }
    }

    /// Runs code on a host whose machine is suspended from second 2 to second 7.
    private func suspending(_ body: @escaping @Sendable () async throws -> Void) async throws {
      let host = try SimulatedNetwork().host("host")
      async let result: Void = host.perform { try await body() }
      try await Task.sleep(for: .seconds(2))
      host.suspend()
      #expect(host.isPaused)
      try await Task.sleep(for: .seconds(5))
      host.resume()
      try await result
    }

    @Test(arguments: Wait.allCases) func `a wait takes longer by the time of the suspension`(
      wait: Wait
    ) async throws {
      let start = ContinuousClock.now
      try await suspending { try await Self.wait(wait) }
      #expect(ContinuousClock.now - start == .seconds(15))
    }

    @Test(arguments: [(4, 7), (10, 10)]) func `a sleep of the continuous clock does not`(
      seconds: Int, end: Int
    ) async throws {
      let start = ContinuousClock.now
      try await suspending { try await Task.sleep(for: .seconds(seconds)) }
      #expect(ContinuousClock.now - start == .seconds(end))
    }

    @Test func `the suspending clock stands, and all others go on`() async throws {
      let start = Date()
      try await suspending {
        let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
        let dispatch = DispatchTime.now().uptimeNanoseconds
        try await Task.sleep(for: .seconds(20))
        #expect(ContinuousClock.now - continuous == .seconds(20))
        #expect(SuspendingClock.now - suspending == .seconds(15))
        #expect(DispatchTime.now().uptimeNanoseconds - dispatch == 15_000_000_000)
        #expect(Date().timeIntervalSince(start) == 20)
      }
    }

    @Test func `what is set after a suspension takes its time`() async throws {
      let start = ContinuousClock.now
      try await suspending {
        try await Task.sleep(for: .seconds(8))
        for wait in Wait.allCases { try await Self.wait(wait) }
      }
      #expect(ContinuousClock.now - start == .seconds(8 + 10 * Wait.allCases.count))
    }

    @Test func `a limit of the wall clock that is set after a suspension is right`() async throws {
      let start = Date()
      try await suspending {
        try await Task.sleep(for: .seconds(8))
        Self.sleep(until: start + 20)
        #expect(Date().timeIntervalSince(start) == 20)
        Self.waitForNothing(until: start + 30)
        #expect(Date().timeIntervalSince(start) == 30)
        _ = DispatchSemaphore(value: 0).wait(wallTimeout: .now() + 10)
        #expect(Date().timeIntervalSince(start) == 40)
      }
    }

    @Test(arguments: Wait.allCases) func `a machine may be suspended again and again`(
      wait: Wait
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      let start = ContinuousClock.now
      async let result: Void = host.perform { try await Self.wait(wait) }
      for _ in 0..<9 {
        try await Task.sleep(for: .seconds(1))
        host.suspend()
        try await Task.sleep(for: .seconds(3))
        host.resume()
      }
      try await result
      #expect(ContinuousClock.now - start == .seconds(37))
    }

    @Test func `only the timers of its own stand`() async throws {
      let network = try SimulatedNetwork()
      let other = network.host("other")
      let start = ContinuousClock.now
      try await suspendingOne(of: network) {
        try await other.perform { try await Self.wait(.suspendingClock) }
      }
      #expect(ContinuousClock.now - start == .seconds(10))
    }

    private func suspendingOne(
      of network: SimulatedNetwork, _ body: () async throws -> Void
    ) async throws {
      network.host("suspended").suspend()
      try await body()
    }

    @Test func `a pause is not a suspension, and neither begins during the other`() async throws {
      let host = try SimulatedNetwork().host("host")
      let start = ContinuousClock.now
      async let result: Void = host.perform { try await Self.wait(.suspendingClock) }
      try await Task.sleep(for: .seconds(1))
      host.pause()
      host.suspend()
      try await Task.sleep(for: .seconds(3))
      host.resume()
      host.suspend()
      host.pause()
      try await Task.sleep(for: .seconds(3))
      host.resume()
      try await result
      #expect(ContinuousClock.now - start == .seconds(13))
    }

    @Test func `code of a suspended host that still runs sets timers that stand`() async throws {
      let host = try SimulatedNetwork().host("host")
      let start = ContinuousClock.now
      async let result: Void = host.perform {
        let before = SuspendingClock.now
        host.suspend()
        #expect(SuspendingClock.now == before)
        try await Task.sleep(for: .seconds(10), clock: .suspending)
        #expect(SuspendingClock.now - before == .seconds(10))
      }
      try await Task.sleep(for: .seconds(5))
      host.resume()
      try await result
      #expect(ContinuousClock.now - start == .seconds(15))
    }

    @Test(arguments: [true, false]) func `a host that crashes in its sleep begins anew`(
      losesPower: Bool
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      let log = Log<Duration>()
      let start = ContinuousClock.now
      host.run {
        try await Task.sleep(for: .seconds(10), clock: .suspending)
        log.append(ContinuousClock.now - start)
      }
      try await Task.sleep(for: .seconds(2))
      host.suspend()
      try await Task.sleep(for: .seconds(3))
      host.crash(losingPower: losesPower)
      #expect(host.hasCrashed)
      host.restart()
      #expect(!host.isPaused)
      await log.wait(for: 1)
      #expect(log.entries == [.seconds(15)])
    }

    @Test func `what is sent to a suspended host waits, and arrives when it goes on`() async throws
    {
      let network = try SimulatedNetwork()
      let (server, client) = (network.host("server"), network.host("client"))
      network.links.latency = .milliseconds(40)
      let start = ContinuousClock.now
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      async let served: String = server.perform {
        let socket = try #require(listener.accept())
        return try socket.receive()
      }
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      server.suspend()
      client.performNow { _ = socket.send("ping") }
      try await Task.sleep(for: .seconds(5))
      server.resume()
      #expect(try await served == "ping")
      #expect(ContinuousClock.now - start == .milliseconds(5080))
    }

    /// Who makes a timer source, and who sets it.
    @Test(arguments: [true, false], [true, false])
    func `a timer source may be made on one machine and set on another one`(
      isMade: Bool, isSet: Bool
    ) async throws {
      let network = try SimulatedNetwork()
      let (host, other) = (network.host("host"), network.host("other"))
      let log = Log<Duration>()
      let start = ContinuousClock.now
      nonisolated(unsafe) let timer = (isMade ? host : other).performNow {
        DispatchSource.makeTimerSource()
      }
      timer.setEventHandler { log.append(ContinuousClock.now - start) }
      host.suspend()
      try await Task.sleep(for: .seconds(7))
      host.resume()
      (isSet ? host : other).performNow { timer.schedule(deadline: .now() + 10, repeating: 10) }
      timer.activate()
      await log.wait(for: 3)
      timer.cancel()
      #expect(log.entries == [.seconds(17), .seconds(27), .seconds(37)])
    }

    @Test func `a deadline far in the past has passed, also for a host in its sleep`() async throws
    {
      let host = try SimulatedNetwork().host("host")
      async let result: Void = host.perform {
        host.suspend()
        try await Task.sleep(
          until: SuspendingClock.now.advanced(by: .seconds(Int64.min / 4)), clock: .suspending)
      }
      try await Task.sleep(for: .seconds(5))
      host.resume()
      try await result
    }

    @Test(arguments: [true, false]) func `the clock of a machine does not jump at a restart`(
      losesPower: Bool
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      let before = host.performNow { SuspendingClock.now }
      host.suspend()
      try await Task.sleep(for: .seconds(3600))
      host.resume()
      host.crash(losingPower: losesPower)
      host.restart()
      try await Task.sleep(for: .seconds(1))
      #expect(host.performNow { SuspendingClock.now } - before == .seconds(1))
      let start = ContinuousClock.now
      try await host.perform { try await Self.wait(.sleep) }
      #expect(ContinuousClock.now - start == .seconds(10))
    }
  }
#endif
