import Escapement
import EscapementNetwork
import EscapementTesting
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Failures of a replicated store and of a pool of connections, as their clients see them.
///
/// The primary is in the shop and the replica in the warehouse, both 40 ms away from the customer. The client waits a
/// second for each node.
@Suite struct StoreTests {
  private struct Store: Sendable {
    let primary = StoreNode(isPrimary: true, values: ["tea": "1"])
    let replica = StoreNode(isPrimary: false, values: ["tea": "1"])

    /// The replica becomes the primary, as a failover makes it.
    func failOver() {
      primary.state.withLock { $0.isPrimary = false }
      replica.state.withLock { $0.isPrimary = true }
    }
  }

  /// Plays with a client, and logs what it is told.
  private func play(
    _ body:
      @escaping @Sendable (
        SimulatedStreet, Store, StoreClient, _ ask: @Sendable (String) async -> Void
      ) async throws -> Void
  ) async throws -> [String] {
    try await sameLog { street, log in
      street.network.setLink(
        between: street.customer, and: street.warehouse, LinkQuality(latency: .milliseconds(40)))
      let store = Store()
      street.shop.run { try await store.primary.serve() }
      street.warehouse.run { try await store.replica.serve() }
      try await street.customer.perform {
        try await withEventLoops(1) { loops in
          let client = StoreClient(["shop", "warehouse"], on: loops)
          try await body(street, store, client) { command in
            let start = ContinuousClock.now
            do {
              let (answer, node) = try await client.ask(command)
              log.append("\(node): \(answer) in \(ContinuousClock.now - start)")
            } catch {
              log.append("\(error) in \(ContinuousClock.now - start)")
            }
          }
        }
      }
    }
  }

  @Test func `a node is down: its connection ends, and the other one answers`() async throws {
    let entries = try await play { street, _, _, ask in
      await ask("GET tea")
      street.shop.crash()
      await ask("GET tea")
      await ask("GET tea")
    }
    #expect(
      entries == [
        "shop: 1 in 0.16 seconds", "warehouse: 1 in 0.2 seconds", "warehouse: 1 in 0.08 seconds",
      ])
  }

  @Test func `a primary loses power: writes go on after the failover, and not before`()
    async throws
  {
    let entries = try await play { street, store, _, ask in
      await ask("SET tea 2")
      street.shop.crash(losingPower: true)
      await ask("SET tea 3")
      Task {
        try await Task.sleep(for: .milliseconds(500))
        store.failOver()
      }
      await ask("SET tea 4")
      street.shop.restart()
      await ask("GET tea")
    }
    #expect(
      entries == [
        "shop: +OK in 0.16 seconds",
        // Three times a second for the primary, and a refusal.
        #"Refused(message: "-READONLY You can\'t write against a read only replica.") in 3.32 seconds"#,
        "warehouse: +OK in 1.08 seconds", "warehouse: 4 in 0.08 seconds",
      ])
  }

  @Test func `a node is slow: the other one answers after the timeout`() async throws {
    let entries = try await play { _, store, _, ask in
      await ask("GET tea")
      store.primary.state.withLock { $0.delay = .milliseconds(919) }
      await ask("GET tea")
      store.primary.state.withLock { $0.delay = .milliseconds(921) }
      await ask("GET tea")
    }
    #expect(
      entries == [
        "shop: 1 in 0.16 seconds", "shop: 1 in 0.999 seconds", "warehouse: 1 in 1.16 seconds",
      ])
  }

  @Test func `a client is cut off from a node, and comes back to it when the link is healed`()
    async throws
  {
    let entries = try await play { street, _, client, ask in
      await ask("GET tea")
      street.network.cut(street.customer, street.shop)
      await ask("GET tea")
      street.network.heal(street.customer, street.shop)
      let answer = try await client.ask("GET tea", of: "shop")
      #expect(answer == "1")
      await ask("GET tea")
    }
    #expect(
      entries == [
        "shop: 1 in 0.16 seconds", "warehouse: 1 in 1.16 seconds", "warehouse: 1 in 0.08 seconds",
      ])
  }

  /// Four connections to one node, behind a circuit breaker.
  private struct Pool {
    let connections: [StoreClient]
    let breaker: CircuitBreaker<ContinuousClock>

    init(on loops: MultiThreadedEventLoopGroup) throws {
      connections = (0..<4).map { _ in StoreClient(["shop"], on: loops) }
      breaker = try CircuitBreaker(.failures(4, ofLast: 4, openFor: .seconds(10)))
    }

    /// Asks by all connections at once; returns what each caller was told, and when.
    func askAll() async -> String {
      let start = ContinuousClock.now
      return await withTaskGroup(of: String.self) { callers in
        for connection in connections {
          callers.addTask { [breaker] in
            do {
              return try await breaker.run { try await connection.ask("GET tea", of: "shop") }
            } catch is CircuitOpenError {
              return "open"
            } catch {
              return "failed"
            }
          }
        }
        let answers = await callers.reduce(into: []) { $0.append($1) }.sorted()
        return answers.joined(separator: " ") + " in \(ContinuousClock.now - start)"
      }
    }
  }

  @Test func `a pool whose server is gone fails at once while its breaker is open, and recovers`()
    async throws
  {
    let entries = try await sameLog { street, log in
      let node = StoreNode(isPrimary: true, values: ["tea": "1"])
      street.shop.run { try await node.serve() }
      try await street.customer.perform {
        try await withEventLoops(1) { loops in
          let pool = try Pool(on: loops)
          log.append(await pool.askAll())
          street.shop.crash(losingPower: true)
          // Nobody tells that the connections are dead.
          log.append(await pool.askAll())
          log.append(await pool.askAll())
          street.shop.restart()
          try await Task.sleep(for: .seconds(10) - .nanoseconds(1))
          log.append(await pool.askAll())
          try await Task.sleep(for: .nanoseconds(1))
          // One of them is the probe.
          log.append(await pool.askAll())
          log.append(await pool.askAll())
          log.append(await pool.askAll())
        }
      }
    }
    #expect(
      entries == [
        "1 1 1 1 in 0.16 seconds", "failed failed failed failed in 1.0 seconds",
        "open open open open in 0.0 seconds", "open open open open in 0.0 seconds",
        "1 open open open in 0.16 seconds", "1 1 1 1 in 0.16 seconds", "1 1 1 1 in 0.08 seconds",
      ])
  }
}
