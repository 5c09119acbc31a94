import Escapement
import StoreClients

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process that shares a store with others, and writes a line for everything that it gets.
///
///     store-worker <kind> <port> quota <name> <timeout> <time> <capacity> <refill> <interval>, in milliseconds
///     store-worker <kind> <port> lead <name> <duration in milliseconds> <milliseconds of a body>
///     store-worker <kind> <port> runs <name> <atMostOnce or atLeastOnce> <count> <run in which it dies>
@main struct StoreWorker {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    func next() -> String { arguments.popFirst()! }
    func number() -> Int { Int(next())! }
    let kind = StoreKind(rawValue: next())!
    let store = kind.store(port: Int32(number()), connections: 2)
    switch (next(), next()) {
    case ("quota", let name):
      try await takePermits(
        name, store, timeout: .milliseconds(number()), for: .milliseconds(number()),
        .tokenBucket(capacity: number(), refill: number(), every: .milliseconds(number())))
    case ("lead", let name):
      try await lead(
        try Lease(
          name, store: store, duration: .milliseconds(number()), retryInterval: .milliseconds(50)),
        for: .milliseconds(number()))
    case ("runs", let name):
      let lease = try Lease(
        name, store: store, duration: .milliseconds(1_000), retryInterval: .milliseconds(50))
      try await run(lease, next() == "atMostOnce" ? .atMostOnce : .atLeastOnce, number(), number())
    default:
      exit(64)
    }
  }

  /// Takes permits for a time; without one, until the first refusal.
  static func takePermits(
    _ name: String, _ store: any SharedStore, timeout: Duration, for time: Duration,
    _ quota: Quota
  ) async throws {
    let limiter = try SharedQuotaLimiter(
      quota, name: name, store: store, whenUnavailable: .deny(retryAfter: .milliseconds(20)),
      timeout: timeout, onEvent: { if case .storeFailed = $1 { report("failure") } })
    report("ready")
    // All processes begin together, when the test writes to their input. With the pauses, one of them cannot
    // take all permits before the others run.
    _ = getchar()
    let end = ContinuousClock.now.advanced(by: time)
    while time == .zero || ContinuousClock.now < end {
      if try await limiter.tryAcquire().isAllowed {
        report("granted")
      } else if time == .zero {
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  static func lead(_ lease: Lease<ContinuousClock>, for time: Duration) async throws {
    report("ready")
    while true {
      do {
        try await lease.run { token in
          report("begin \(token) \(now())")
          try await Task.sleep(for: time)
          report("end \(token) \(now())")
        }
      } catch let error as LeaseLostError {
        report("lost \(error.token)")
      }
    }
  }

  /// Nanoseconds, which are the same in all processes.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  static func run(
    _ lease: Lease<ContinuousClock>, _ delivery: Lease<ContinuousClock>.Delivery, _ count: Int,
    _ last: Int
  ) async throws {
    report("ready")
    for number in 1...count {
      let instant = WallClock.Instant.unixEpoch.advanced(by: .seconds(number))
      do {
        try await lease.runOnce(for: instant, delivery) { _ in
          report("begin \(number)")
          if number == last { kill(getpid(), SIGKILL) }
          try await Task.sleep(for: .milliseconds(5))
          report("end \(number)")
        }
      } catch let error as LeaseLostError {
        report("lost \(error.token)")
      }
    }
  }

  /// Writes a line at once, so that it is not lost when the process is killed.
  static func report(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    precondition(write(STDOUT_FILENO, bytes, bytes.count) == bytes.count)
  }
}
