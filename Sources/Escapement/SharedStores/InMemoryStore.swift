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
  }

  private struct State {
    var permits: [String: Permits] = [:]
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

  func decide(_ command: StoreCommand) -> [Int64] {
    let now = origin.duration(to: clock.now).wholeNanoseconds / 1_000
    return state.withLock { state in
      switch command.operation {
      case .quota(let quota, let permits, let span):
        Self.take(permits, of: quota, span: span, &state.permits[command.key], now: now)
      case .lease(let request):
        state.leases[command.key, default: LeaseRecord()].change(request, now: now).numbers
      }
    }
  }

  private static func take(
    _ count: Int, of quota: Quota, span: Int64, _ permits: inout Permits?, now: Int64
  ) -> [Int64] {
    // The limiter has checked the quota.
    let new = Permits(algorithm: try! quota.makeAlgorithm(), settledAt: now)
    if let last = permits?.settledAt, last - now > span {
      permits = new
      permits!.algorithm.empty(at: now * 1_000)
    }
    var taken = permits ?? new
    taken.settledAt = max(taken.settledAt, now)
    let time = taken.settledAt * 1_000
    guard let remaining = taken.algorithm.take(count, at: time) else {
      let wait = taken.algorithm.earliest(count, from: time) - time
      return [0, (wait + 999) / 1_000]
    }
    permits = taken
    return [1, Int64(remaining)]
  }
}
