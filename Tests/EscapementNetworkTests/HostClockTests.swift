#if os(Linux)
  import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct HostClockTests {
    /// What the wall clock of a host shows, since the beginning of the scope's.
    private func shown(
      _ host: SimulatedHost, since start: Date, _ read: () -> Date = { Date() }
    ) -> Duration {
      .nanoseconds(Int64((host.performNow { read() }.timeIntervalSince(start) * 1e9).rounded()))
    }

    @Test(arguments: [90, -90]) func `each way to read the time of day shows the host's clock`(
      seconds: Int
    ) async throws {
      let network = try SimulatedNetwork()
      let (host, other) = (network.host("host"), network.host("other"))
      let start = Date()
      host.clockOffset = .seconds(seconds)
      try await Task.sleep(for: .seconds(1))
      let expected = Duration.seconds(seconds + 1)
      #expect(shown(host, since: start) == expected)
      #expect(
        shown(host, since: start) { Date(timeIntervalSince1970: Double(time(nil))) } == expected)
      #expect(
        shown(host, since: start) {
          var now = timeval()
          gettimeofday(&now, nil)
          return Date(timeIntervalSince1970: Double(now.tv_sec))
        } == expected)
      #expect(
        shown(host, since: start) {
          let now = DispatchWallTime.now().rawValue
          return Date(timeIntervalSince1970: Double(-Int64(bitPattern: now)) / 1e9)
        } == expected)
      #expect(shown(other, since: start) == .seconds(1))
      #expect(Date().timeIntervalSince(start) == 1)
      #expect(host.clockOffset == .seconds(seconds))
    }

    @Test func `sleeps and clocks that never go back are right on all hosts`() async throws {
      let host = try SimulatedNetwork().host("host")
      host.clockOffset = .seconds(3600)
      let start = ContinuousClock.now
      try await host.perform {
        let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
        host.clockOffset = .seconds(-3600)
        try await Task.sleep(for: .seconds(1))
        rest(milliseconds: 1000)
        #expect(ContinuousClock.now - continuous == .seconds(2))
        #expect(SuspendingClock.now - suspending == .seconds(2))
      }
      #expect(ContinuousClock.now - start == .seconds(2))
    }

    @Test func `a clock that drifts gains with time, and less when that is changed`() async throws {
      let host = try SimulatedNetwork().host("host")
      host.clockDrift = 0.25
      try await Task.sleep(for: .seconds(100))
      #expect(host.clockOffset == .seconds(25))
      host.clockDrift = -0.125
      try await Task.sleep(for: .seconds(80))
      #expect(host.clockOffset == .seconds(15))
      host.clockOffset = .zero
      try await Task.sleep(for: .seconds(8))
      #expect(host.clockOffset == .seconds(-1))
    }

    @Test(arguments: [(Duration.seconds(5), 0.0), (.seconds(-5), 0), (.zero, 0.25), (.zero, -0.2)])
    func `a timer of the wall clock fires when the host's clock shows its time`(
      offset: Duration, drift: Double
    ) async throws {
      let host = try SimulatedNetwork().host("host")
      host.clockOffset = offset
      host.clockDrift = drift
      let waited = try await host.perform {
        let start = ContinuousClock.now
        let due = Date().addingTimeInterval(20)
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(wallDeadline: .now() + 20) { continuation.resume() }
        }
        #expect(abs(Date().timeIntervalSince(due)) < 1e-6)
        return ContinuousClock.now - start
      }
      #expect(abs(waited / .seconds(1) - 20 / (1 + drift)) < 1e-6)
    }

    @Test func `a restart does not set the clock`() async throws {
      let host = try SimulatedNetwork().host("host")
      host.clockOffset = .seconds(7)
      let start = Date()
      host.restart()
      #expect(shown(host, since: start) == .seconds(7))
    }

    @Test func `a clock that cannot be is reported, and set to the nearest`() async throws {
      let host = try SimulatedNetwork().host("host")
      let century = Duration.seconds(100 * 365 * 86_400)
      #expect(issues { host.clockOffset = century + .nanoseconds(1) }.count == 1)
      #expect(host.clockOffset == century)
      #expect(issues { host.clockOffset = .zero - century }.isEmpty)
      for (drift, nearest) in [(0.6, 0.5), (-0.6, -0.5), (.nan, 0)] {
        #expect(issues { host.clockDrift = drift }.count == 1)
        #expect(host.clockDrift == nearest)
      }
    }
  }
#endif
