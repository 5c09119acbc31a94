#if os(Linux)
  import Escapement
  import EscapementTesting
  import TestSupport
  import Testing

  /// A type such as a user's, whose methods wait in building blocks.
  private struct OrderService: Sendable {
    let limiter: ConcurrencyLimiter<ContinuousClock>
    let quota: QuotaLimiter<ContinuousClock>

    init() throws {
      limiter = try ConcurrencyLimiter(.fixed(1))
      quota = try QuotaLimiter(.slidingWindow(limit: 1, per: .seconds(60)))
    }

    func limited() async throws {
      try await limiter.run { try await Task.sleep(for: .seconds(100)) }
    }

    func metered() async throws {
      try await quota.acquire()
      try await quota.acquire()
    }

    func retried() async throws {
      try await retry(backoff: .constant(.seconds(60))) { throw Failed() }
    }

    func asleep() async throws {
      try await WallClock().sleep(until: WallClock().now.advanced(by: .seconds(60)))
    }

    private struct Failed: Error {}
  }

  /// What reports say of tasks that wait in building blocks.
  @Suite(.virtualStandardClocks) struct PlacesInBlocksTests {
    enum Wait: CaseIterable {
      case limited, metered, retried, asleep

      /// The function of the block that is called.
      var block: String {
        switch self {
        case .limited: "ConcurrencyLimiter.run"
        case .metered: "QuotaLimiter.acquire"
        case .retried: "retry"
        case .asleep: "WallClock.sleep"
        }
      }

      fileprivate func callAsFunction(_ service: OrderService) async throws {
        switch self {
        case .limited: try await service.limited()
        case .metered: try await service.metered()
        case .retried: try await service.retried()
        case .asleep: try await service.asleep()
        }
      }
    }

    @Test(.withoutOptimisation, arguments: Wait.allCases)
    func `a place names the block, and then the user's function that has called it`(
      wait: Wait
    ) async throws {
      let reported = try await issues {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .fail)) { time in
          let service = try OrderService()
          // The limiter and the quota let the first one run.
          for _ in 1...2 { Task { try await wait(service) } }
          await time.settle()
        }
      }
      let message = try #require(reported.first?.message)
      let places = message.split(separator: "\n").filter { $0.hasPrefix("    in \(wait.block)") }
      let place = try #require(places.first, "\(message)")
      #expect(place.contains(") <- OrderService.\(wait)()"), "\(message)")
    }
  }
#endif
