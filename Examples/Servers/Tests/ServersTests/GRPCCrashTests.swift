import EscapementNetwork
import EscapementTesting
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import Testing

/// Servers of gRPC that crash and lose power in the middle of a stream.
///
/// The customer is 40 ms away from the shop.
@Suite struct GRPCCrashTests {
  @Test func `a call of gRPC fails when its server crashes, and the next server answers`()
    async throws
  {
    let entries = try await sameLog { street, log in
      try await street.withCourierInShop { client in
        func deliver(_ parcel: String) async throws {
          do {
            log.append(try await client.deliver(parcel, options: .defaults))
          } catch let error as RPCError {
            log.append("\(error.code)")
          }
        }
        try await deliver("tea")
        for _ in 0..<3 {
          street.shop.crash()
          try await deliver("milk")
          street.shop.restart()
          try await Task.sleep(for: .seconds(60))
          try await deliver("cake")
        }
      }
    }
    #expect(
      entries == ["tea", "unavailable", "cake", "unavailable", "cake", "unavailable", "cake"])
  }

  @Test func `a stream of gRPC is given up when a ping of its keep-alive is not answered`()
    async throws
  {
    let entries = try await sameLog { street, log in
      try await street.withCourierInShop {
        $0.connection.keepalive = .init(
          time: .seconds(20), timeout: .seconds(5), allowWithoutCalls: false)
      } _: { client in
        let start = ContinuousClock.now
        do {
          try await client.track("tea") { message in
            log.append(message)
            if message.hasSuffix("2") { street.network.cut(street.shop, street.customer) }
          }
        } catch let error as RPCError {
          log.append("\(error.code) after \(ContinuousClock.now - start)")
        }
      }
    }
    // The client has the settings of the server after 160 ms, and counts from there.
    #expect(
      entries == [
        "tea passes corner 1", "tea passes corner 2", "unavailable after 25.16 seconds",
      ])
  }

  @Test func `a client of gRPC comes to its end although a silent server has lost its power`()
    async throws
  {
    let entries = try await sameLog { street, log in
      street.shop.run { try await serveCourier(port: 5000) }
      try await Task.sleep(for: .seconds(1))
      // Its machine takes the connection and the first bytes, but nobody answers.
      street.shop.pause()
      Task {
        try await Task.sleep(for: .seconds(1))
        street.shop.crash(losingPower: true)
      }
      let start = ContinuousClock.now
      func mark(_ entry: String) { log.append("\(entry) after \(ContinuousClock.now - start)") }
      try await street.customer.perform {
        try await withCourierOfShop { client, options in
          do {
            log.append(try await client.deliver("tea", options: options))
          } catch let error as RPCError {
            mark("\(error.code)")
          }
        }
      }
      mark("end")
    }
    // The last answer after 160 ms, two hours of silence, and nine questions, 75 seconds apart.
    #expect(entries == ["deadlineExceeded after 10.0 seconds", "end after 7875.16 seconds"])
  }

  @Test func `gRPC tries a call again when its server crashes, and the next server answers`()
    async throws
  {
    let entries = try await sameLog { street, log in
      try await street.withCourierInShop { client in
        var options = CallOptions.defaults
        options.executionPolicy = .retry(
          RetryPolicy(
            maxAttempts: 3, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(1),
            backoffMultiplier: 1, retryableStatusCodes: [.unavailable]))
        log.append(try await client.deliver("tea", options: options))
        let start = ContinuousClock.now
        Task {
          // The call is on its way.
          try await Task.sleep(for: .milliseconds(20))
          street.shop.crash()
          street.shop.restart()
        }
        log.append(try await client.deliver("milk", options: options))
        log.append("\(ContinuousClock.now - start)")
      }
    }
    // The end comes after 60 ms. Connecting again takes 160 ms, and the call 80 ms.
    #expect(entries == ["tea", "milk", "0.3 seconds"])
  }

  @Test func `a stream of gRPC comes to its end, wherever its server crashes`() async throws {
    let starts = Log<Void>()
    let report = try await withExploration(SameLogTests.rounds) { _ in
      let street = try SimulatedStreet()
      street.shop.run { starts.append(()) }
      try await street.withCourierInShop { client in
        async let faults: Void = street.network.disturb(
          [.crashes, .powerLosses], for: .seconds(60))
        var options = CallOptions.defaults
        // Nothing else tells that a machine has lost its power.
        options.timeout = .seconds(10)
        /// Whether the stream comes to its end.
        func track() async throws -> Bool {
          let messages = Log<String>()
          do {
            try await client.track("tea", options: options) { messages.append($0) }
            return messages.count == 3
          } catch is RPCError {
            return false
          }
        }
        for _ in 0..<20 {
          if try await !track() { try await Task.sleep(for: .seconds(1)) }
        }
        await faults
        try await Task.sleep(for: .seconds(120))
        // A connection that nobody has used since its server lost power is reset by the first call.
        var isWhole = false
        for _ in 0..<3 where !isWhole {
          isWhole = try await track()
          try await Task.sleep(for: .seconds(1))
        }
        #expect(isWhole)
      }
    }
    #expect(report.failure == nil, "\(report)")
    #expect(report.firstDifference == nil)
    // Each schedule begins once.
    #expect(starts.count > SameLogTests.rounds + 1, "nothing has crashed")
  }

  @Test func `crashes at each instant of a stream of gRPC leave no file and no thread`() async {
    // In a process of its own: other tests have files and threads, too.
    await #expect(processExitsWith: .success) {
      func crash(rounds: Range<Int>) async throws -> (files: Int, threads: Int) {
        for round in rounds { try await crashStreams(round) }
        return (countEntries(of: "/proc/self/fd"), countEntries(of: "/proc/self/task"))
      }
      // The first rounds make what the process keeps, such as its pool of threads.
      let before = try await crash(rounds: 0..<10)
      let after = try await crash(rounds: 10..<10 + SameLogTests.rounds)
      // Some are on their way to their end on a busy machine, but no more after more rounds.
      #expect(after.files <= before.files + 20, "\(before) \(after)")
      #expect(after.threads <= before.threads + 20, "\(before) \(after)")
    }
  }
}

/// A schedule in which the server of ten streams crashes, each time at another instant.
///
/// Something happens at multiples of 20 ms only, and a stream lasts for 3.24 s.
private func crashStreams(_ round: Int) async throws {
  try await withVirtualTime(order: .seed(UInt64(round))) { _ in
    let street = try SimulatedStreet()
    street.shop.run { try await serveCourier(port: 5000) }
    try await Task.sleep(for: .seconds(1))
    for crash in 10 * round..<10 * round + 10 {
      Task {
        try await Task.sleep(for: .milliseconds(20 * (crash % 163)))
        street.shop.crash(losingPower: crash % 3 == 0)
      }
      try await street.customer.perform {
        try await withCourierOfShop { client, options in
          do {
            try await client.track("tea", options: options) { _ in }
          } catch is RPCError {}
        }
      }
      try await Task.sleep(for: .seconds(1))
      street.shop.restart()
      try await Task.sleep(for: .seconds(1))
    }
  }
}

/// Runs a body with a client that finds out that the shop has lost its power, and calls of ten
/// seconds.
private func withCourierOfShop(
  _ body: (GRPCClient<HTTP2ClientTransport.Posix>, CallOptions) async throws -> Void
) async throws {
  var options = CallOptions.defaults
  options.timeout = .seconds(10)
  try await withEventLoops(1) { loops in
    try await withCourier(
      at: .dns(host: "shop", port: 5000), on: loops, configure: { $0.keepsTCPAlive() }
    ) { try await body($0, options) }
  }
}

extension HTTP2ClientTransport.Posix.Config {
  /// Lets TCP find out that a silent server has lost its power.
  ///
  /// A connection of gRPC begins with the settings of the server. gRPC waits for them without a
  /// limit, also when its client shuts down, and its own keep-alive begins only after them. Since
  /// the server has confirmed all bytes, TCP does not ask either, unless it is told to.
  fileprivate mutating func keepsTCPAlive() {
    channelDebuggingCallbacks.onCreateTCPConnection = {
      $0.setOption(.socketOption(.so_keepalive), value: 1)
    }
  }
}

/// How many files or threads a folder of the process lists.
func countEntries(of folder: String) -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
}
