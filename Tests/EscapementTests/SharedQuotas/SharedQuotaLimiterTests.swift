import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite(.virtualTime) struct SharedQuotaLimiterTests {
  private let time: VirtualTime
  private let store: SlowStore
  private let failures = Log<SharedStoreError?>()

  init() throws {
    time = try VirtualTime.required
    store = SlowStore(clock: time)
  }

  /// A store whose answers take the time that the test says.
  private final class SlowStore: SharedStore {
    struct Down: Error {}

    private let store: InMemoryStore<VirtualTime>
    private let clock: VirtualTime
    let delay = Lock(Duration.zero)
    let isDown = Lock(false)
    let calls = Lock(0)

    init(clock: VirtualTime) {
      self.clock = clock
      store = InMemoryStore(clock: clock)
    }

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      calls.withLock { $0 += 1 }
      let reply = await store.perform(command)
      let delay = delay.withLock { $0 }
      if delay > .zero { try await clock.sleep(for: delay) }
      if isDown.withLock({ $0 }) { throw Down() }
      return reply
    }
  }

  private func limiter(
    _ quota: Quota = .slidingWindow(limit: 2, per: .seconds(10)),
    whenUnavailable policy: UnavailableStorePolicy = .deny(retryAfter: .seconds(3)),
    maximumRequests: Int = 100
  ) throws -> SharedQuotaLimiter<VirtualTime> {
    try SharedQuotaLimiter(
      quota, name: "test", store: store, whenUnavailable: policy, timeout: .seconds(1),
      maximumRequests: maximumRequests, clock: time,
      onEvent: { [failures] _, event in
        if case .storeFailed(let error) = event { failures.append(error as? SharedStoreError) }
      })
  }

  @Test func `limiters with the same store share their permits`() async throws {
    let (first, second) = (try limiter(), try limiter())
    #expect(try await first.tryAcquire() == .allowed(remaining: 1))
    #expect(try await second.tryAcquire() == .allowed(remaining: 0))
    #expect(try await first.tryAcquire() == .denied(retryAfter: .seconds(10)))
    #expect(try await first.tryAcquire(for: "other") == .allowed(remaining: 1))
    #expect(failures.entries.isEmpty)
  }

  @Test func `limiters with different quotas do not share permits`() async throws {
    #expect(try await limiter().tryAcquire(2) == .allowed(remaining: 0))
    let other = try limiter(.slidingWindow(limit: 3, per: .seconds(10)))
    #expect(try await other.tryAcquire(2) == .allowed(remaining: 1))
  }

  @Test func `tasks that wait get their permits first come, first served, at their time`()
    async throws
  {
    let limiter = try limiter(.tokenBucket(capacity: 1, refill: 1, every: .seconds(5)))
    let start = time.now
    let log = Log<String>()
    var tasks: [Task<Void, any Error>] = []
    for number in 1...3 {
      tasks.append(
        Task { [time] in
          try await limiter.acquire()
          log.append("\(number) after \(start.duration(to: time.now))")
        })
      await time.settle()
    }
    for task in tasks { try await task.value }
    #expect(log.entries == ["1 after 0.0 seconds", "2 after 5.0 seconds", "3 after 10.0 seconds"])
  }

  @Test func `a task that is cancelled while it waits takes no permits`() async throws {
    let limiter = try limiter(.tokenBucket(capacity: 1, refill: 1, every: .seconds(5)))
    try await limiter.acquire()
    let task = Task { try await limiter.acquire() }
    try await time.sleep(for: .seconds(1))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await time.sleep(for: .seconds(4))
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 0))
  }

  @Test func `a deadline that cannot be met is refused at once`() async throws {
    let limiter = try limiter()
    try await limiter.acquire(2)
    let start = time.now
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: .seconds(10))) {
      try await limiter.acquire(before: start.advanced(by: .seconds(10) - .nanoseconds(1)))
    }
    #expect(time.now == start)
    try await limiter.acquire(before: start.advanced(by: .seconds(10)))
    #expect(start.duration(to: time.now) == .seconds(10))
  }

  @Test(arguments: [0, 3]) func `a request that is never granted is refused`(permits: Int)
    async throws
  {
    let limiter = try limiter()
    await #expect(throws: QuotaError.self) { try await limiter.tryAcquire(permits) }
    await #expect(throws: QuotaError.self) { try await limiter.acquire(permits) }
    #expect(store.calls.withLock { $0 } == 0)
  }

  @Test func `a store that throws leaves the decision to the policy`() async throws {
    store.isDown.withLock { $0 = true }
    #expect(try await limiter().tryAcquire() == .denied(retryAfter: .seconds(3)))
    #expect(try await limiter(whenUnavailable: .allow).tryAcquire() == .allowed(remaining: 0))
    let share = try limiter(whenUnavailable: .localShare(processes: 2))
    #expect(try await share.tryAcquire() == .allowed(remaining: 0))
    #expect(try await share.tryAcquire() == .denied(retryAfter: .seconds(10)))
    // More than the share of this process.
    #expect(try await share.tryAcquire(2) == .denied(retryAfter: .seconds(1)))
    #expect(failures.entries == [nil, nil, nil, nil, nil])
  }

  @Test func `a decision waits for the store until the timeout`() async throws {
    let limiter = try limiter()
    store.delay.withLock { $0 = .seconds(1) - .nanoseconds(1) }
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 1))
    store.delay.withLock { $0 = .seconds(1) + .nanoseconds(1) }
    let start = time.now
    #expect(try await limiter.tryAcquire() == .denied(retryAfter: .seconds(3)))
    #expect(start.duration(to: time.now) == .seconds(1))
    #expect(failures.entries == [.timedOut(after: .seconds(1))])
    try await time.sleep(for: .seconds(1))
  }

  @Test func `each of several calls waits until its own timeout`() async throws {
    let limiter = try limiter()
    store.delay.withLock { $0 = .seconds(100) }
    let start = time.now
    let log = Log<String>()
    let tasks = (0..<3).map { number in
      Task {
        try await time.sleep(for: .milliseconds(400) * number)
        _ = try await limiter.tryAcquire()
        log.append("\(number) after \(start.duration(to: time.now))")
      }
    }
    for task in tasks { try await task.value }
    #expect(
      log.entries == ["0 after 1.0 seconds", "1 after 1.4 seconds", "2 after 1.8 seconds"])
    // Also the first one after a pause without calls.
    store.delay.withLock { $0 = .seconds(1) + .nanoseconds(1) }
    try await time.sleep(for: .seconds(1_000))
    let later = time.now
    #expect(try await limiter.tryAcquire(for: "other") == .denied(retryAfter: .seconds(3)))
    #expect(later.duration(to: time.now) == .seconds(1))
    // The call ends, too.
    try await time.sleep(for: .seconds(1))
  }

  @Test func `permits that came too late are not kept longer by others`() async throws {
    let limiter = try limiter(.slidingWindow(limit: 3, per: .seconds(1_000)))
    store.delay.withLock { $0 = .seconds(2) }
    // The answers come after 2 seconds and after 2.9 seconds.
    async let first = limiter.tryAcquire()
    try await time.sleep(for: .milliseconds(900))
    #expect(try await limiter.tryAcquire().isAllowed == false)
    #expect(try await first.isAllowed == false)
    try await time.sleep(for: .milliseconds(1_100))
    store.delay.withLock { $0 = .zero }
    // The first permit has expired, and the second one is still there.
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 0))
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 0))
    #expect(try await limiter.tryAcquire().isAllowed == false)
  }

  @Test(arguments: [
    (String(repeating: "é", count: 500) + "x", "at most 1,000 bytes"),
    ("a\0b", "without a character 0"),
  ])
  func `a key that not all stores can keep is refused`(key: String, requirement: String)
    async throws
  {
    let limiter = try limiter()
    for error in [
      await #expect(throws: InvalidArgumentError.self) { try await limiter.tryAcquire(for: key) },
      await #expect(throws: InvalidArgumentError.self) { try await limiter.acquire(for: key) },
    ] {
      #expect(error?.argument == "key")
      #expect(error?.requirement.contains(requirement) == true)
    }
    #expect(store.calls.withLock { $0 } == 0)
    #expect(try await limiter.tryAcquire(for: String(repeating: "é", count: 500)).isAllowed)
    #expect(
      #expect(throws: InvalidArgumentError.self) {
        try SharedQuotaLimiter(.slidingWindow(limit: 1, per: .seconds(1)), name: key, store: store)
      }?.argument == "name")
  }

  @Test func `a task gives up when its deadline passes before its turn`() async throws {
    let limiter = try limiter()
    try await limiter.acquire(2)
    let first = Task { try await limiter.acquire() }
    let start = time.now
    try await time.sleep(for: .seconds(1))
    await #expect(throws: DeadlineExpiredError.self) {
      try await limiter.acquire(before: start.advanced(by: .seconds(2)))
    }
    #expect(start.duration(to: time.now) == .seconds(3))
    try await first.value
  }

  @Test func `a deadline that has passed takes no permits`() async throws {
    let limiter = try limiter()
    try await time.sleep(for: .seconds(1))
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: .zero)) {
      try await limiter.acquire(before: time.now.advanced(by: .nanoseconds(-1)))
    }
    #expect(store.calls.withLock { $0 } == 0)
    try await limiter.acquire(before: time.now)
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 0))
  }

  @Test func `a task whose turn comes after its deadline takes no permits`() async throws {
    let limiter = try limiter()
    try await limiter.acquire(2)
    let start = time.now
    let first = Task { try await limiter.acquire() }
    await time.settle()
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: .zero)) {
      try await limiter.acquire(before: start.advanced(by: .seconds(10) - .nanoseconds(1)))
    }
    #expect(start.duration(to: time.now) == .seconds(10))
    try await first.value
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 0))
  }

  @Test func `permits whose caller has given up go to the next caller`() async throws {
    let limiter = try limiter()
    store.delay.withLock { $0 = .seconds(2) }
    #expect(try await limiter.tryAcquire(2) == .denied(retryAfter: .seconds(3)))
    try await time.sleep(for: .seconds(1))
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 0))
    #expect(store.calls.withLock { $0 } == 1)
    // The second one expires, one timeout after the late answer.
    store.delay.withLock { $0 = .zero }
    try await time.sleep(for: .seconds(1))
    #expect(try await limiter.tryAcquire() == .denied(retryAfter: .seconds(7)))
  }

  @Test func `permits whose caller is cancelled go to the next caller`() async throws {
    let limiter = try limiter()
    store.delay.withLock { $0 = .milliseconds(500) }
    let task = Task { try await limiter.tryAcquire(2) }
    try await time.sleep(for: .milliseconds(100))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await time.sleep(for: .milliseconds(400))
    #expect(try await limiter.tryAcquire(2) == .allowed(remaining: 0))
  }

  @Test func `requests that come while two calls are under way share the next one`() async throws {
    let limiter = try limiter(.slidingWindow(limit: 20, per: .seconds(10)))
    store.delay.withLock { $0 = .milliseconds(100) }
    let start = time.now
    let decisions = try await withThrowingTaskGroup { group in
      for _ in 0..<16 { group.addTask { try await limiter.tryAcquire() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(decisions) == Set((4..<20).map { .allowed(remaining: $0) }))
    #expect(decisions.count == 16)
    #expect(store.calls.withLock { $0 } == 3)
    #expect(start.duration(to: time.now) == .milliseconds(200))
  }

  @Test func `requests that share a call get what the quota grants, and no more`() async throws {
    let limiter = try limiter(.slidingWindow(limit: 5, per: .seconds(10)))
    store.delay.withLock { $0 = .milliseconds(100) }
    let decisions = try await withThrowingTaskGroup { group in
      for _ in 0..<30 { group.addTask { try await limiter.tryAcquire() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(decisions.filter(\.isAllowed)) == Set((0..<5).map { .allowed(remaining: $0) }))
    #expect(decisions.count { !$0.isAllowed } == 25)
    // Two alone; those that remained; two denials at once, each of which decides what waits.
    #expect(store.calls.withLock { $0 } <= 6)
  }

  @Test func `a request does not wait for a call that takes too long`() async throws {
    let limiter = try limiter(.slidingWindow(limit: 20, per: .seconds(100)))
    store.delay.withLock { $0 = .seconds(5) }
    async let first = limiter.tryAcquire()
    async let second = limiter.tryAcquire()
    try await time.sleep(for: .milliseconds(500))
    store.delay.withLock { $0 = .milliseconds(10) }
    let start = time.now
    #expect(try await limiter.tryAcquire(4) == .allowed(remaining: 14))
    #expect(start.duration(to: time.now) == .milliseconds(510))
    #expect(try await first.isAllowed == false)
    #expect(try await second.isAllowed == false)
    try await time.sleep(for: .seconds(4))
    // What the store has granted too late.
    #expect(try await limiter.tryAcquire(2) == .allowed(remaining: 0))
  }

  @Test(arguments: 0..<50)
  func `a request is denied only if the permits are not there`(seed: UInt64) async throws {
    let capacity = 40
    let limiter = try limiter(.slidingWindow(limit: capacity, per: .seconds(100)))
    var random = SplitMix64(seed: seed)
    var tasks: [(permits: Int, task: Task<QuotaDecision, any Error>)] = []
    for _ in 0..<30 {
      let permits = Int.random(in: 1...5, using: &random)
      let delay = Duration.milliseconds(Int.random(in: 0...20, using: &random))
      store.delay.withLock { $0 = .milliseconds(Int.random(in: 1...30, using: &random)) }
      tasks.append(
        (
          permits,
          Task { [time] in
            try await time.sleep(for: delay)
            return try await limiter.tryAcquire(permits)
          }
        ))
      if seed.isMultiple(of: 2) { try await time.sleep(for: .milliseconds(1)) }
    }
    var granted = 0
    var denied: [Int] = []
    for (permits, task) in tasks {
      if try await task.value.isAllowed { granted += permits } else { denied.append(permits) }
    }
    #expect(granted <= capacity)
    #expect(denied.allSatisfy { granted + $0 > capacity })
    #expect(failures.entries.isEmpty)
    let rest = try await limiter.tryAcquire()
    #expect(rest.isAllowed == (granted < capacity))
  }

  @Test(arguments: 0..<50)
  func `no permit is lost by cancellation`(seed: UInt64) async throws {
    let limiter = try limiter(.slidingWindow(limit: 100, per: .seconds(1_000)))
    var random = SplitMix64(seed: seed)
    var tasks: [Task<QuotaDecision, any Error>] = []
    for _ in 0..<30 {
      store.delay.withLock { $0 = .milliseconds(Int.random(in: 1...30, using: &random)) }
      tasks.append(Task { try await limiter.tryAcquire() })
      if Bool.random(using: &random) { tasks.randomElement(using: &random)!.cancel() }
      if Bool.random(using: &random) { try await time.sleep(for: .milliseconds(2)) }
    }
    var used = 0
    for task in tasks where (try? await task.value.isAllowed) == true { used += 1 }
    try await time.sleep(for: .milliseconds(100))
    while try await limiter.tryAcquire().isAllowed { used += 1 }
    #expect(used == 100)
  }

  @Test func `a call is cancelled after ten times the timeout`() async throws {
    let limiter = try limiter(maximumRequests: 1)
    store.delay.withLock { $0 = .seconds(1_000) }
    #expect(try await limiter.tryAcquire().isAllowed == false)
    #expect(try await limiter.tryAcquire().isAllowed == false)
    #expect(failures.entries == [.timedOut(after: .seconds(1)), .tooManyRequests(1)])
    try await time.sleep(for: .seconds(9))
    store.delay.withLock { $0 = .zero }
    #expect(try await limiter.tryAcquire(for: "other") == .allowed(remaining: 1))
  }

  @Test func `a task that waits goes on when the store is back`() async throws {
    let limiter = try limiter()
    store.isDown.withLock { $0 = true }
    let task = Task { try await limiter.acquire(for: "x") }
    try await time.sleep(for: .seconds(1))
    store.isDown.withLock { $0 = false }
    let start = time.now
    try await task.value
    #expect(start.duration(to: time.now) == .seconds(2))
  }

  @Test(arguments: [[], [1], [2, 0], [0, 0], [1, -1], [1, 0, 0]])
  func `a reply that is not a decision is an error`(reply: [Int64]) {
    #expect(throws: SharedStoreError.unexpectedReply(reply)) { try QuotaDecision(reply: reply) }
  }

  @Test func `the error names the invalid argument`() {
    func argument(of body: () throws -> SharedQuotaLimiter<VirtualTime>) -> String? {
      #expect(throws: InvalidArgumentError.self) { try body() }?.argument
    }
    func limiter(
      policy: UnavailableStorePolicy = .allow, timeout: Duration = .seconds(1), calls: Int = 1
    ) throws -> SharedQuotaLimiter<VirtualTime> {
      try SharedQuotaLimiter(
        .slidingWindow(limit: 1, per: .seconds(1)), name: "", store: store,
        whenUnavailable: policy, timeout: timeout, maximumRequests: calls, clock: time)
    }
    #expect(argument { try limiter(timeout: .zero) } == "timeout")
    #expect(argument { try limiter(calls: 0) } == "maximumRequests")
    #expect(argument { try limiter(policy: .deny(retryAfter: .zero)) } == "retryAfter")
    #expect(argument { try limiter(policy: .localShare(processes: 2)) } == "processes")
  }
}
