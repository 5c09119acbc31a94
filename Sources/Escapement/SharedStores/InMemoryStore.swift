import _EscapementCore

/// A store in the memory of this process, which decides as Redis and PostgreSQL do.
///
/// It is for tests, and for programs that run as a single process today.
///
/// ```swift
/// let limiter = try SharedQuotaLimiter(quota, name: "search", store: InMemoryStore())
/// ```
public final class InMemoryStore<C: Clock<Duration>>: SharedStore {
  private struct Permits {
    var algorithm: QuotaAlgorithm
    /// The time of the last grant, in microseconds.
    var settledAt: Int64
    /// In which time the empty quota fills.
    let span: Int64
  }

  private struct State {
    var permits = KeyTable<String, Permits>()
    var calls = 0
    var leases: [String: LeaseRecord] = [:]
  }

  private let clock: C
  private let origin: C.Instant
  private let state = Lock(State())

  /// Creates an empty store.
  ///
  /// - Parameter clock: The clock of the store.
  public init(clock: C = ContinuousClock()) {
    self.clock = clock
    origin = clock.now
  }

  /// Performs a command at once.
  public func perform(_ command: StoreCommand) async -> [Int64] { decide(command) }

  /// The number of keys whose quota is kept.
  var keyCount: Int { state.withLock { $0.permits.count } }

  func decide(_ command: StoreCommand) -> [Int64] {
    let now = origin.duration(to: clock.now).wholeNanoseconds / 1_000
    return state.withLock { state -> [Int64] in
      switch command.operation {
      case .quota(let quota, let permits, let span):
        let hash = KeyTable<String, Permits>.hash(of: command.key)
        let reply = Self.take(
          permits, of: quota, span: span, &state.permits[command.key, hash], now: now)
        // A sweep visits about 128 keys, so a call visits 4. A quota that is full is the same as
        // none.
        state.calls += 1
        if state.calls.isMultiple(of: 32) {
          state.permits.sweep { now - $0.settledAt < $0.span }
        }
        return reply
      case .lease(let request):
        return state.leases[command.key, default: LeaseRecord()].change(request, now: now).numbers
      }
    }
  }

  private static func newPermits(of quota: Quota, _ span: Int64, now: Int64) -> Permits {
    // The limiter has checked the quota.
    Permits(algorithm: try! quota.makeAlgorithm(), settledAt: now, span: span)
  }

  private static func take(
    _ count: Int, of quota: Quota, span: Int64, _ permits: inout Permits?, now: Int64
  ) -> [Int64] {
    if let last = permits?.settledAt, last - now > span {
      permits = newPermits(of: quota, span, now: now)
      permits!.algorithm.empty(at: now * 1_000)
    }
    let time = max(permits?.settledAt ?? now, now)
    // A denial changes nothing. What is not copied is changed in its place, whatever its size.
    let earliest = (permits ?? newPermits(of: quota, span, now: now)).algorithm
      .earliest(count, from: time * 1_000)
    guard earliest <= time * 1_000 else { return [0, (earliest - time * 1_000 + 999) / 1_000] }
    if permits == nil { permits = newPermits(of: quota, span, now: now) }
    permits!.settledAt = time
    let remaining = permits!.algorithm.take(count, at: time * 1_000)!
    return [1, Int64(remaining)]
  }
}
