import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite(.virtualTime) struct LeaseTests {
  private let time: VirtualTime
  private let store: BreakableStore
  private let log = Log<String>()
  private let failures = Log<String>()
  private let start: VirtualTime.Instant

  init() throws {
    time = try VirtualTime.required
    start = time.now
    store = BreakableStore(clock: time)
  }

  private struct Failure: Error {}

  /// A store that the test takes away.
  private final class BreakableStore: SharedStore {
    private let store: InMemoryStore<VirtualTime>
    let isDown = Lock(false)
    /// Performs commands, but does not answer.
    let isMute = Lock(false)
    /// How long an answer takes.
    let delay = Lock(Duration.zero)
    private let clock: VirtualTime

    init(clock: VirtualTime) {
      self.clock = clock
      store = InMemoryStore(clock: clock)
    }

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      if isDown.withLock({ $0 }) { throw Failure() }
      let reply = await store.perform(command)
      try await clock.sleep(for: delay.withLock { $0 })
      if isMute.withLock({ $0 }) { throw Failure() }
      return reply
    }
  }

  private func lease(retryInterval: Duration = .seconds(2)) throws -> Lease<VirtualTime> {
    try Lease(
      "test", store: store, duration: .seconds(30), retryInterval: retryInterval, clock: time,
      onEvent: { [failures] event in
        if case .storeFailed(let error) = event { failures.append("\(type(of: error))") }
      })
  }

  private func append(_ text: String) {
    log.append("\(text) after \(start.duration(to: time.now))")
  }

  @Test func `the second replica gets the lease when the first one has finished`() async throws {
    let first = Task {
      try await lease().run { token in
        append("first \(token)")
        try await time.sleep(for: .seconds(100))
      }
    }
    try await time.sleep(for: .seconds(1))
    try await lease().run { token in append("second \(token)") }
    try await first.value
    #expect(log.entries == ["first 1 after 0.0 seconds", "second 101000000 after 101.0 seconds"])
  }

  @Test func `a body that throws hands the lease over`() async throws {
    await #expect(throws: Failure.self) { try await lease().run { _ in throw Failure() } }
    #expect(try await lease().run { $0 } == FencingToken(number: 2))
    #expect(start == time.now)
  }

  @Test func `a caller that is cancelled keeps the lease until its body has ended`() async throws {
    let first = Task {
      try await lease().run { _ in
        try? await time.sleep(for: .seconds(1_000))
        await Task { try? await time.sleep(for: .seconds(100)) }.value
        append("first")
      }
    }
    try await time.sleep(for: .seconds(1))
    first.cancel()
    try await lease().run { _ in append("second") }
    try await first.value
    #expect(log.entries == ["first after 101.0 seconds", "second after 101.0 seconds"])
  }

  @Test func `a caller that is cancelled while it waits leaves the lease alone`() async throws {
    let first = Task { try await lease().run { _ in try await time.sleep(for: .seconds(10)) } }
    try await time.sleep(for: .seconds(1))
    let second = Task { try await lease().run { _ in append("second") } }
    try await time.sleep(for: .seconds(1))
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await first.value
    #expect(log.entries == [])
  }

  @Test func `when the store is away, the body is cancelled before the lease ends`() async throws {
    let first = Task {
      try await lease().run { _ in
        do {
          try await time.sleep(for: .seconds(1_000))
        } catch {
          append("cancelled")
          throw error
        }
      }
    }
    try await time.sleep(for: .seconds(15))
    store.isDown.withLock { $0 = true }
    let error = await #expect(throws: LeaseLostError.self) { try await first.value }
    #expect(error?.token == FencingToken(number: 1))
    #expect(error?.bodyError is CancellationError)
    // It was renewed after 10 seconds.
    #expect(log.entries == ["cancelled after 40.0 seconds"])
  }

  @Test func `when the store comes back in time, the lease is kept`() async throws {
    let first = Task { try await lease().run { _ in try await time.sleep(for: .seconds(100)) } }
    try await time.sleep(for: .seconds(15))
    store.isDown.withLock { $0 = true }
    try await time.sleep(for: .seconds(20))
    store.isDown.withLock { $0 = false }
    try await first.value
  }

  @Test(arguments: [11, 14])
  func `a lease is got and kept although each answer takes almost half of its duration`(
    seconds: Int
  )
    async throws
  {
    store.delay.withLock { $0 = .seconds(seconds) }
    try await lease().run { _ in
      append("begin")
      try await time.sleep(for: .seconds(1_000))
    }
    #expect(log.entries == ["begin after \(seconds).0 seconds"])
  }

  @Test func `a lease that cannot be renewed in time is lost, and the error says so`() async throws
  {
    store.delay.withLock { $0 = .seconds(20) }
    await #expect(throws: LeaseLostError.self) {
      try await lease().run { _ in try await time.sleep(for: .seconds(1_000)) }
    }
  }

  @Test func `a lease is not got when each answer takes its whole duration`() async throws {
    store.delay.withLock { $0 = .seconds(30) }
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(in: .seconds(1_000), clock: time) {
        try await lease().run { _ in append("begin") }
      }
    }
    #expect(log.entries == [])
  }

  @Test func `a grant whose reply was lost is repeated for the same owner`() async throws {
    store.isMute.withLock { $0 = true }
    let first = Task { try await lease().run { token in append("\(token)") } }
    try await time.sleep(for: .seconds(1))
    store.isMute.withLock { $0 = false }
    try await first.value
    #expect(log.entries == ["2000000 after 2.0 seconds"])
  }

  @Test(arguments: [Lease<VirtualTime>.Delivery.atMostOnce, .atLeastOnce])
  func `each scheduled run takes place on one of the replicas`(
    delivery: Lease<VirtualTime>.Delivery
  ) async throws {
    let schedule = try Schedule.every(.seconds(60))
    let runs = Array(schedule.runs(after: .unixEpoch).prefix(100))
    try await withThrowingTaskGroup { group in
      for replica in 0..<5 {
        group.addTask {
          let lease = try lease()
          for run in runs {
            try await time.sleep(for: .seconds(replica))
            try await lease.runOnce(for: run, delivery) { _ in
              log.append("\(run)")
              try await time.sleep(for: .seconds(7))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(log.entries == runs.map { "\($0)" })
  }

  @Test func `a run at least once is repeated by another replica, one at most once is not`()
    async throws
  {
    let first = WallClock.Instant.unixEpoch.advanced(by: .seconds(60))
    let second = first.advanced(by: .seconds(60))
    await #expect(throws: Failure.self) {
      try await lease().runOnce(for: first, .atLeastOnce) { _ in throw Failure() }
    }
    #expect(try await lease().runOnce(for: first, .atLeastOnce) { _ in })
    #expect(try await lease().runOnce(for: first, .atLeastOnce) { _ in } == false)
    await #expect(throws: Failure.self) {
      try await lease().runOnce(for: second, .atMostOnce) { _ in throw Failure() }
    }
    #expect(try await lease().runOnce(for: second, .atMostOnce) { _ in } == false)
  }

  @Test func `a run that could not be noted as done throws`() async throws {
    let run = WallClock.Instant.unixEpoch.advanced(by: .seconds(60))
    await #expect(throws: LeaseLostError.self) {
      try await lease().runOnce(for: run, .atLeastOnce) { _ in store.isDown.withLock { $0 = true } }
    }
    store.isDown.withLock { $0 = false }
    #expect(try await lease().runOnce(for: run, .atLeastOnce) { _ in })
    #expect(start.duration(to: time.now) == .seconds(30))
  }

  @Test func `that a run is done is noted when the store is back in time`() async throws {
    let run = WallClock.Instant.unixEpoch.advanced(by: .seconds(60))
    let first = Task {
      try await lease().runOnce(for: run, .atLeastOnce) { _ in store.isDown.withLock { $0 = true } }
    }
    try await time.sleep(for: .seconds(25))
    store.isDown.withLock { $0 = false }
    #expect(try await first.value)
    #expect(try await lease().runOnce(for: run, .atLeastOnce) { _ in } == false)
    #expect(start.duration(to: time.now) == .seconds(26))
    #expect(failures.entries == Array(repeating: "Failure", count: 13))
  }

  @Test func `failures of the store are told while the lease asks again`() async throws {
    store.isDown.withLock { $0 = true }
    let first = Task { try await lease().run { _ in } }
    try await time.sleep(for: .seconds(3))
    #expect(failures.entries == ["Failure", "Failure"])
    store.isDown.withLock { $0 = false }
    store.delay.withLock { $0 = .seconds(31) }
    try await time.sleep(for: .seconds(32))
    #expect(failures.entries == ["Failure", "Failure", "SharedStoreError"])
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
  }

  @Test func `a store that answers with something else is told, and grants nothing`() async throws {
    struct OddStore: SharedStore {
      func perform(_ command: StoreCommand) -> [Int64] { [2, 1, 0] }
    }
    let lease = try Lease(
      "test", store: OddStore(), clock: time,
      onEvent: { [failures] event in
        if case .storeFailed(let error) = event { failures.append("\(error)") }
      })
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(in: .seconds(3), clock: time) { try await lease.run { _ in } }
    }
    let failure = "\(SharedStoreError.unexpectedReply([2, 1, 0]))"
    #expect(failures.entries.prefix(2) == [failure, failure])
  }

  @Test func `the error names the invalid argument`() async throws {
    func argument(duration: Duration = .seconds(1), retry: Duration = .seconds(1)) -> String? {
      #expect(throws: InvalidArgumentError.self) {
        try Lease("", store: store, duration: duration, retryInterval: retry, clock: time)
      }?.argument
    }
    #expect(argument(duration: .milliseconds(1) - .nanoseconds(1)) == "duration")
    #expect(argument(duration: .seconds(366 * 86_400)) == "duration")
    #expect(argument(retry: .zero) == "retryInterval")
    #expect(
      #expect(throws: InvalidArgumentError.self) { try Lease("a\0b", store: store) }?.argument
        == "name")
    let epoch = WallClock.Instant.unixEpoch
    for instant in [epoch, epoch.advanced(by: .microseconds(1 << 53))] {
      let error = await #expect(throws: InvalidArgumentError.self) {
        try await lease().runOnce(for: instant, .atMostOnce) { _ in }
      }
      #expect(error?.argument == "instant")
    }
  }
}
