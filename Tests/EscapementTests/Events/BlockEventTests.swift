import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Each block tells what it decides about a call that goes on, waits, is refused, is cancelled or fails.
@Suite(.virtualTime) struct BlockEventTests {
  private struct Failure: Error {}

  private let time = VirtualTime.current!
  private let events = Log<String>()

  private var onEvent: @Sendable (BlockEvent) -> Void { { [events] in events.append(text($0)) } }
  private func onEvent(of key: String, _ event: BlockEvent) {
    events.append("\(key): \(text(event))")
  }

  /// Cancels a task that waits.
  private func cancel(_ task: Task<Void, any Error>) async throws {
    await time.settle()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a breaker tells of calls and of its states`() async throws {
    let breaker = try CircuitBreaker(
      .failures(1, ofLast: 1, openFor: .seconds(5)), clock: time, onEvent: onEvent)
    try await breaker.run {}
    await #expect(throws: Failure.self) { try await breaker.run { throw Failure() } }
    await #expect(throws: CircuitOpenError.self) { try await breaker.run {} }
    try await time.sleep(for: .seconds(5))
    try await breaker.run {}
    #expect(
      events.entries == [
        "begun", "ended", "begun", "ended Failure", "changed open", "refused CircuitOpenError",
        "changed halfOpen", "begun", "ended", "changed closed",
      ])
  }

  @Test func `a concurrency limiter tells how long a call has waited for its turn`() async throws {
    let limiter = try ConcurrencyLimiter(
      .fixed(1), maximumWaiting: 1, clock: time, onEvent: onEvent)
    let first = Task { try await limiter.run { try await time.sleep(for: .seconds(2)) } }
    await time.settle()
    try await cancel(Task { try await limiter.run {} })
    let second = Task { try await limiter.run { throw Failure() } }
    await time.settle()
    await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    try await first.value
    await #expect(throws: Failure.self) { try await second.value }
    #expect(
      events.entries == [
        "begun", "waits", "waited 0.0 seconds", "left", "waits", "refused ConcurrencyLimitError",
        "ended", "waited 2.0 seconds", "begun", "ended Failure",
      ])
  }

  @Test func `a call that waits for too long is refused after its wait`() async throws {
    let limiter = try ConcurrencyLimiter(
      .fixed(1), maximumDelay: .seconds(1), clock: time, onEvent: onEvent)
    let first = Task { try await limiter.run { try await time.sleep(for: .seconds(2)) } }
    await time.settle()
    await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    try await first.value
    #expect(
      events.entries == [
        "begun", "waits", "ended", "waited 2.0 seconds", "refused ConcurrencyLimitError",
      ])
  }

  @Test func `a throttle tells of calls`() async throws {
    let throttle = try AdaptiveThrottle(clock: time, onEvent: onEvent)
    try await throttle.run {}
    await #expect(throws: Failure.self) { try await throttle.run { throw Failure() } }
    for _ in 0..<1_000 { _ = try? await throttle.run { throw Failure() } }
    #expect(events.entries.prefix(4) == ["begun", "ended", "begun", "ended Failure"])
    #expect(events.entries.contains("refused CallThrottledError"))
  }

  @Test func `a quota tells of requests that wait, are granted, refused and cancelled`()
    async throws
  {
    let limiter = try QuotaLimiter(
      .slidingWindow(limit: 3, per: .seconds(10)), clock: time, onEvent: onEvent)
    _ = try limiter.tryAcquire(2)
    _ = try limiter.tryAcquire(2)
    #expect(try limiter.tryAcquire(upTo: 5) == 1)
    #expect(try limiter.tryAcquire(upTo: 5) == 0)
    await #expect(throws: QuotaError.self) { try await limiter.acquire(before: time.now) }
    try await cancel(Task { try await limiter.acquire() })
    try await limiter.acquire(3)
    _ = try limiter.reserve(2)
    #expect(
      events.entries == [
        "granted 2", "refused QuotaError", "granted 1", "refused QuotaError",
        "refused QuotaError", "waits", "waited 0.0 seconds", "left", "waits", "waited 10.0 seconds",
        "granted 3", "granted 2",
      ])
  }

  @Test func `a request that a new quota can never grant is refused after its wait`() async throws {
    let limiter = try QuotaLimiter(
      .slidingWindow(limit: 3, per: .seconds(10)), clock: time, onEvent: onEvent)
    _ = try limiter.tryAcquire(3)
    let waiting = Task { try await limiter.acquire(2) }
    try await time.sleep(for: .seconds(1))
    try limiter.replaceQuota(with: .slidingWindow(limit: 1, per: .seconds(10)))
    await #expect(throws: QuotaError.self) { try await waiting.value }
    #expect(
      events.entries == ["granted 3", "waits", "waited 1.0 seconds", "refused QuotaError"])
  }

  @Test func `a keyed quota tells the key, also of requests that wait`() async throws {
    let limiter = try KeyedQuotaLimiter<String, _>(
      .slidingWindow(limit: 1, per: .seconds(10)), clock: time, onEvent: onEvent)
    _ = limiter.tryAcquire(for: "a")
    _ = limiter.tryAcquire(for: "b")
    let waiting = Task { try await limiter.acquire(for: "a") }
    await time.settle()
    _ = limiter.tryAcquire(for: "a")
    try await waiting.value
    #expect(
      events.entries == [
        "a: granted 1", "b: granted 1", "a: waits", "a: refused QuotaError",
        "a: waited 10.0 seconds", "a: granted 1",
      ])
  }

  @Test func `a shared quota tells of decisions, and of a store that makes none`() async throws {
    struct Store: SharedStore {
      let memory: InMemoryStore<VirtualTime>
      let isDown = Log<Void>()

      func perform(_ command: StoreCommand) async throws -> [Int64] {
        if isDown.count == 1 { throw Failure() }
        return await memory.perform(command)
      }
    }
    let store = Store(memory: InMemoryStore(clock: time))
    let limiter = try SharedQuotaLimiter(
      .slidingWindow(limit: 1, per: .seconds(10)), name: "test", store: store, clock: time,
      onEvent: onEvent)
    _ = try await limiter.tryAcquire(for: "a")
    _ = try await limiter.tryAcquire(for: "a")
    try await limiter.acquire(for: "a")
    try await cancel(Task { try await limiter.acquire(for: "a") })
    store.isDown.append(())
    _ = try await limiter.tryAcquire(for: "b")
    #expect(
      events.entries == [
        "a: granted 1", "a: refused QuotaError", "a: waits", "a: waited 10.0 seconds",
        "a: granted 1", "a: waits", "a: waited 0.0 seconds", "a: left", "b: store failed Failure",
        "b: refused QuotaError",
      ])
  }

  @Test func `a lease tells of waits, holders and losses`() async throws {
    let store = InMemoryStore(clock: time)
    let lease = try Lease("test", store: store, clock: time, onEvent: onEvent)
    let holder = Task { try await lease.run { _ in try await time.sleep(for: .seconds(3)) } }
    await time.settle()
    try await cancel(Task { try await lease.run { _ in } })
    try await holder.value
    await #expect(throws: Failure.self) { try await lease.run { _ in throw Failure() } }
    let instant = WallClock.Instant(offset: .seconds(1))
    try await lease.runOnce(for: instant, .atMostOnce) { _ in }
    try await lease.runOnce(for: instant, .atMostOnce) { _ in }
    #expect(
      events.entries == [
        "waits", "waited 0.0 seconds", "begun", "waits", "waited 0.0 seconds", "left", "ended",
        "waits", "waited 0.0 seconds", "begun", "ended Failure",
        "waits", "waited 0.0 seconds", "begun", "ended",
        "waits", "waited 0.0 seconds", "left",
      ])
  }

  @Test func `a lease that is lost is told when its operation is cancelled`() async throws {
    struct Store: SharedStore {
      let time: VirtualTime
      let memory: InMemoryStore<VirtualTime>

      func perform(_ command: StoreCommand) async throws -> [Int64] {
        if time.now.offset > .zero { throw Failure() }
        return await memory.perform(command)
      }
    }
    let lease = try Lease(
      "test", store: Store(time: time, memory: InMemoryStore(clock: time)), duration: .seconds(3),
      clock: time, onEvent: onEvent)
    await #expect(throws: LeaseLostError.self) {
      try await lease.run { _ in try await time.sleep(for: .seconds(60)) }
    }
    #expect(time.now.offset == .seconds(3))
    let failures = events.entries.filter { $0.hasPrefix("store failed") }.count
    #expect(failures > 1)
    #expect(
      events.entries.filter { !$0.hasPrefix("store failed") } == [
        "waits", "waited 0.0 seconds", "begun", "lost", "ended LeaseLostError",
      ])
  }

  @Test func `a lease that is lost before its run is noted is told`() async throws {
    struct Store: SharedStore {
      let memory: InMemoryStore<VirtualTime>
      let isDown = Log<Void>()

      func perform(_ command: StoreCommand) async throws -> [Int64] {
        if isDown.count > 0 { throw Failure() }
        return await memory.perform(command)
      }
    }
    let store = Store(memory: InMemoryStore(clock: time))
    let lease = try Lease("test", store: store, clock: time, onEvent: onEvent)
    await #expect(throws: LeaseLostError.self) {
      try await lease.runOnce(for: WallClock.Instant(offset: .seconds(1)), .atLeastOnce) { _ in
        store.isDown.append(())
      }
    }
    #expect(
      events.entries.filter { !$0.hasPrefix("store failed") } == [
        "waits", "waited 0.0 seconds", "begun", "lost", "ended LeaseLostError",
      ])
  }

  @Test func `a hedged call tells of its further attempts`() async throws {
    let events = events
    try await hedged(
      after: .seconds(1), maximumAttempts: 3, clock: time, onEvent: { events.append(text($0)) }
    ) { [time] attempt in try await time.sleep(for: .seconds(attempt == 3 ? 1 : 60)) }
    #expect(events.entries == ["hedged 2", "hedged 3"])
  }

  @Test func `an injector tells of faults, and of no others`() async throws {
    let injector = FaultInjector(
      [
        try .latency(.seconds(1)...(.seconds(1)), share: 1), try .outcome(share: 1),
        try .error(Failure(), share: 1),
      ], clock: time, onEvent: onEvent)
    await #expect(throws: Failure.self) { try await injector.run {} }
    injector.faults = []
    try await injector.run {}
    #expect(
      events.entries == [
        "injected a latency from 1.0 seconds to 1.0 seconds in 1.0 of the calls",
        "injected the error Failure() in 1.0 of the calls",
      ])
  }

  @Test func `a launcher tells how late its runs begin`() async throws {
    let clock = TestClock()
    let launcher = DefaultPeriodicTaskLauncher(clock: clock, onEvent: onEvent)
    launcher.every(.seconds(10)) {}
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(10))
    launcher.stop()
    #expect(events.entries == ["late 0.0 seconds", "begun", "ended"])
  }

  /// A launcher with a run that was due three seconds ago, while the main actor was busy.
  @MainActor private func makeLateLauncher() async -> DefaultPeriodicTaskLauncher<ContinuousClock> {
    let launcher = DefaultPeriodicTaskLauncher(onEvent: onEvent)
    launcher.every(.seconds(2)) { @MainActor in }
    launcher.start()
    await Task.yield()
    sleep(5)
    return launcher
  }

  @Test(.virtualStandardClocks) @MainActor
  func `a run is late by the time for which its actor was busy`() async throws {
    let launcher = await makeLateLauncher()
    await events.wait(for: 3)
    launcher.stop()
    #expect(events.entries.prefix(3) == ["late 3.0 seconds", "begun", "ended"])
  }

  @Test(.virtualStandardClocks) @MainActor
  func `a run that is stopped before its actor is free is not told`() async throws {
    await makeLateLauncher().stop()
    try await Task.sleep(for: .seconds(1))
    #expect(events.entries == [])
  }

  @Test(.virtualStandardClocks) func `the time of a closure is not that of the call`() async throws
  {
    let breaker = try CircuitBreaker(
      .failures(1, ofLast: 1, slowerThan: .seconds(1)),
      onEvent: { if case .begun = $0 { sleep(2) } })
    try await breaker.run {}
    #expect(breaker.state == .closed)
  }

  @Test(.virtualStandardClocks)
  func `a run on a schedule that was missed is late`() async throws {
    let clock = WallClock()
    let start = clock.now
    let launcher = DefaultPeriodicTaskLauncher(onEvent: onEvent)
    launcher.on(try .every(.seconds(10)), missed: .runOnce) { _ in
      try? await clock.sleep(until: start.advanced(by: .seconds(24)))
    }
    launcher.start()
    await events.wait(for: 6)
    launcher.stop()
    #expect(
      events.entries.prefix(6) == [
        "late 0.0 seconds", "begun", "ended", "late 4.0 seconds", "begun", "ended",
      ])
  }
}

/// An event in words, with the types of errors.
private func text(_ event: BlockEvent) -> String {
  switch event {
  case .waits: "waits"
  case .waited(let time): "waited \(time)"
  case .late(let time): "late \(time)"
  case .begun: "begun"
  case .ended(let error): "ended" + (error.map { " \(type(of: $0))" } ?? "")
  case .granted(let permits): "granted \(permits)"
  case .refused(let error): "refused \(type(of: error))"
  case .left: "left"
  case .hedged(let attempt): "hedged \(attempt)"
  case .injected(let fault): "injected \(fault)"
  case .lost: "lost"
  case .changed(let state): "changed \(state)"
  case .storeFailed(let error): "store failed \(type(of: error))"
  }
}
