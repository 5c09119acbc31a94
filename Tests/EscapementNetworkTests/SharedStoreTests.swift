#if os(Linux)
  import EscapementModels
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  @testable import Escapement

  /// Leases and quotas of several hosts, whose store is on a host of its own: while links are cut,
  /// and the store crashes or stands still.
  @Suite(.virtualStandardClocks) struct SharedStoreTests {
    static let rounds = TestSupport.rounds(50)
    static let faults: NetworkFaults = [.ofLinks, .crashes, .pauses, .nameFailures]

    /// A store behind a network.
    final class DistantStore: SharedStore {
      /// Its disk, which survives a crash.
      let store = InMemoryStore()
      /// The commands that were sent; the network carries the number of a command in this list.
      let commands = Lock<[StoreCommand]>([])

      func serve() throws {
        let server = try Socket.listen(port: 6379)
        Thread.detachNewThread {
          while let client = server.accept() {
            Thread.detachNewThread {
              defer { client.close() }
              guard let number = (try? client.receive()).flatMap({ Int($0) }) else { return }
              let reply = self.store.decide(self.commands.withLock { $0[number] })
              client.send(reply.map(String.init).joined(separator: ","))
              client.endSending()
            }
          }
        }
      }

      func perform(_ command: StoreCommand) async throws -> [Int64] {
        let number = commands.withLock {
          $0.append(command)
          return $0.count - 1
        }
        return try await withCheckedThrowingContinuation { done in
          Thread.detachNewThread {
            done.resume(
              with: Result {
                let socket = try Socket.connect(to: "store", 6379)
                defer { socket.close() }
                socket.send("\(number)")
                var text = ""
                while case let next = try socket.receive(), !next.isEmpty { text += next }
                guard !text.isEmpty else { throw Errno(ECONNRESET) }
                return text.split(separator: ",").compactMap { Int64($0) }
              })
          }
        }
      }
    }

    /// Makes a store and three hosts that use it, and lets them be disturbed for 20 seconds.
    static func explore(
      _ body: @escaping @Sendable ([SimulatedHost], DistantStore) async throws -> Void
    ) async throws -> ExplorationReport {
      try await withExploration(rounds) { _ in
        let network = try SimulatedNetwork()
        network.links.latency = .milliseconds(5)
        let store = DistantStore()
        network.host("store").run {
          try store.serve()
          try await Task.sleep(for: .seconds(86_400))
        }
        let hosts = (0..<3).map { network.host("host\($0)") }
        async let disturbance: Void = network.disturb(faults, for: .seconds(20))
        try await body(hosts, store)
        await disturbance
      }
    }

    /// The leadership, which one host has at a time, each time with a larger token.
    struct Leadership: Model {
      enum Call { case begin, end }
      var leads = false
      var token: FencingToken?

      func answer(to call: Call) -> FencingToken? { nil }

      mutating func allows(_ answer: FencingToken?, to call: Call) -> Bool {
        guard let answer else {
          leads = false
          return true
        }
        guard !leads, token.map({ $0 < answer }) ?? true else { return false }
        (leads, token) = (true, answer)
        return true
      }
    }

    @Test func `one host leads at a time, whatever fails between it and the store`() async throws {
      let terms = Log<FencingToken>()
      let report = try await Self.explore { hosts, store in
        let recorder = HistoryRecorder<Leadership.Call, FencingToken?>()
        try await withThrowingTaskGroup { tasks in
          for host in hosts {
            tasks.addTask(name: host.name) {
              try await host.perform {
                let lease = try Lease("leader", store: store, duration: .seconds(3))
                let end = ContinuousClock.now + .seconds(20)
                while .now < end {
                  let beginning = recorder.begin(.begin, by: host.name)
                  var ending: Int?
                  do {
                    try await withDeadline(end) {
                      try await lease.run { token in
                        recorder.end(beginning, with: token)
                        terms.append(token)
                        try? await Task.sleep(for: .seconds(5))
                        ending = recorder.begin(.end, by: host.name)
                      }
                    }
                  } catch is LeaseLostError {} catch is DeadlineExpiredError {}
                  if let ending { recorder.end(ending, with: nil) }
                }
              }
            }
          }
          try await tasks.waitForAll()
        }
        expectLinearizable(recorder.history, as: Leadership())
      }
      #expect(report.failure == nil, "\(report)")
      #expect(report.firstDifference == nil)
      #expect(terms.count >= 2 * Self.rounds)
    }

    /// Permits that nobody gives back.
    struct Permits: Model {
      var granted = 0
      /// How many callers gave up, and may have got one: it is kept a while for another caller.
      var kept = 0

      mutating func answer(to call: Int) -> Bool {
        kept += 1
        return true
      }

      mutating func allows(_ isGranted: Bool, to call: Int) -> Bool {
        guard isGranted else { return granted + kept >= 20 }
        granted += 1
        return granted <= 20
      }
    }

    @Test func `a shared quota is granted once, whatever fails between it and the store`()
      async throws
    {
      let report = try await Self.explore { hosts, store in
        let limiters = try hosts.map { _ in
          try SharedQuotaLimiter(
            .slidingWindow(limit: 20, per: .seconds(1_000)), name: "quota", store: store,
            whenUnavailable: .deny(retryAfter: .seconds(7)))
        }
        await expectLinearizable(Permits(), clients: 3, each: 16, restingFor: .seconds(1)) { _ in
          1
        } perform: { permits, client in
          try await hosts[client].perform {
            switch try await limiters[client].tryAcquire(permits) {
            case .allowed: return true
            case .denied(.seconds(7)): throw SharedStoreError.timedOut(after: .seconds(1))
            case .denied: return false
            }
          }
        }
      }
      #expect(report.failure == nil, "\(report)")
      #expect(report.firstDifference == nil)
    }
  }
#endif
