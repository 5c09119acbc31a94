import _EscapementCore

/// A store in the memory of this process, which decides as Redis and PostgreSQL do.
///
/// It is for tests, and for programs that run as a single process today.
///
/// ```swift
/// let limiter = try SharedQuotaLimiter(quota, name: "search", store: InMemoryStore())
/// ```
public final class InMemoryStore<C: Clock<Duration>>: SharedStore {
  private struct State {
    var permits = KeyTable<String, StoredPermits>()
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
        let hash = KeyTable<String, StoredPermits>.hash(of: command.key)
        let reply = StoredPermits.take(
          permits, of: quota, span: span, from: &state.permits[command.key, hash], now: now)
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
}
