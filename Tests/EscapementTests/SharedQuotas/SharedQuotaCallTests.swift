import EscapementTesting
import Testing
import _EscapementCore

@testable import Escapement

@Suite(.virtualTime) struct SharedQuotaCallTests {
  private let time: VirtualTime

  init() throws { time = try VirtualTime.required }

  private func limiter(_ store: some SharedStore) throws -> SharedQuotaLimiter<VirtualTime> {
    try SharedQuotaLimiter(
      .slidingWindow(limit: 10, per: .seconds(1)), name: "test", store: store,
      whenUnavailable: .deny(retryAfter: .seconds(3)), timeout: .seconds(1), clock: time)
  }

  /// A store that does not answer.
  private struct HungStore: SharedStore {
    let clock: VirtualTime

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      try await clock.sleep(for: .seconds(1_000))
      return []
    }
  }

  @Test func `a request times out in time while calls before it are under way`() async throws {
    let limiter = try limiter(HungStore(clock: time))
    for _ in 1...3 {
      let start = time.now
      #expect(try await limiter.tryAcquire() == .denied(retryAfter: .seconds(3)))
      #expect(start.duration(to: time.now) == .seconds(1))
      try await time.sleep(for: .milliseconds(700))
    }
    // The calls are given up.
    try await time.sleep(for: .seconds(10))
  }

  /// A store that answers when its call was given up long ago, and does not end when it is told to.
  private struct LateStore: SharedStore {
    let clock: VirtualTime

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      await Task { try? await clock.sleep(for: .seconds(30)) }.value
      return [1, 5]
    }
  }

  @Test func `permits of a call that was given up are granted to nobody`() async throws {
    let limiter = try limiter(LateStore(clock: time))
    #expect(try await limiter.tryAcquire() == .denied(retryAfter: .seconds(3)))
    try await time.sleep(for: .seconds(29))
    #expect(try await limiter.tryAcquire() == .denied(retryAfter: .seconds(3)))
    try await time.sleep(for: .seconds(30))
  }

  /// A store that answers at once, and to which requests keep coming.
  private final class BusyStore: SharedStore {
    let limiter = Lock<SharedQuotaLimiter<VirtualTime>?>(nil)
    let calls = Lock(0)

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      let count = calls.withLock { calls in
        calls += 1
        return calls
      }
      if count < 100, let limiter = limiter.withLock({ $0 }) {
        _ = Task.startingHere(name: "request") { _ = try? await limiter.tryAcquire() }
      }
      return [1, 5]
    }
  }

  @Test func `a caller does not wait for the calls of those who come after it`() async throws {
    let store = BusyStore()
    let limiter = try limiter(store)
    store.limiter.withLock { $0 = limiter }
    #expect(try await limiter.tryAcquire() == .allowed(remaining: 5))
    #expect(store.calls.withLock { $0 } < 10)
    store.limiter.withLock { $0 = nil }
    await time.settle()
  }
}
