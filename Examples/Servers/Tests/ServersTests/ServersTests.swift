import AsyncHTTPClient
import Escapement
import EscapementTesting
import NIOCore
import NIOPosix
import Servers
import ServiceLifecycle
import Synchronization
import Testing

@Suite struct ServersTests {
  @Test(.virtualTime) func `a day of a shop, with a customer every five minutes`() async throws {
    try await spendDay(minutesBetweenCustomers: 5)
  }

  @Test(.virtualTime) func `a day of a shop, with a customer each minute`() async throws {
    try await spendDay(minutesBetweenCustomers: 1)
  }

  private func spendDay(minutesBetweenCustomers minutes: Int) async throws {
    let time = try VirtualTime.required
    try await withStreet(warehouse: { #"{"tea": 3}"# }) { street in
      #expect(try await street.get("stock/tea") == "404 ")
      var answers: [String: Int] = [:]
      let customers = 24 * 60 / minutes
      for _ in 0..<customers {
        try await Task.sleep(for: .seconds(60 * minutes))
        answers[try await street.get("stock/tea"), default: 0] += 1
      }
      #expect(time.now.offset == .seconds(24 * 60 * 60))
      #expect(await street.stock.refreshes == 288)
      // The first refresh is at five minutes. A body that wakes then goes last.
      let early = 5 / minutes - 1
      #expect(answers["404 ", default: 0] == early)
      #expect(answers["200 3"] == customers - early)
    }
  }

  @Test(.loopbackAndHost) func `a request to the warehouse is given up after ten seconds`()
    async throws
  {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withStreet(warehouse: {
      requests.append(time.now.offset)
      if requests.count < 3 { try await Task.sleep(for: .seconds(30)) }
      return "{}"
    }) { street in
      let stock = try await street.warehouse.stock()
      #expect(stock == [:])
      // Ten seconds each, and a second and two seconds of back-off. Each attempt connects.
      #expect(requests.entries == [0, 11, 23].map { .seconds($0) + ways(3) })
      #expect(time.now.offset == .seconds(23) + ways(4))
    }
  }

  @Test(.loopbackAndHost) func `the client backs off while the warehouse is out of order`()
    async throws
  {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withStreet(warehouse: {
      requests.append(time.now.offset)
      if requests.count < 4 { throw OutOfOrder() }
      return #"{"tea": 1}"#
    }) { street in
      let stock = try await street.warehouse.stock()
      #expect(stock == ["tea": 1])
      // The first attempt connects, and each one but the last has an answer.
      let ways = [ways(3), ways(5), ways(7), ways(9)]
      #expect(requests.entries == zip([0, 1, 3, 7], ways).map { .seconds($0) + $1 })
    }
  }

  @Test(.loopbackAndHost) func `a connection that is idle for a minute is closed`() async throws {
    let time = try VirtualTime.required
    try await withStreet(warehouse: { "{}" }) { street in
      let connection = try await ClientBootstrap(group: street.group)
        .connect(to: street.shopAddress).get()
      try await Task.sleep(for: .nanoseconds(59_999_999_999))
      #expect(connection.isActive)
      try await connection.closeFuture.get()
      // The server learns of the connection when the client has, and one way later.
      #expect(time.now.offset == .seconds(60) + ways(4))
    }
  }

  @Test(.loopbackAndHost) func `a shutdown lets the customers finish who have been let in`()
    async throws
  {
    let time = try VirtualTime.required
    try await withStreet(warehouse: { "{}" }) { street in
      try await withThrowingTaskGroup(of: String.self) { customers in
        for _ in 0..<8 { customers.addTask { try await street.get("invoice") } }
        try await Task.sleep(for: .seconds(5))
        await street.shop.triggerGracefulShutdown()
        await #expect(throws: (any Error).self) {
          try await street.get("stock/tea", within: .seconds(1))
        }
        let answers = try await customers.reduce(into: []) { $0.append($1) }
        #expect(answers == Array(repeating: "200 paid", count: 8))
        // The client makes one connection, and when it knows that this speaks HTTP/1.1, the others.
        #expect(time.now.offset == .seconds(20) + ways(6))
      }
    }
    #expect(time.now.offset == .seconds(20) + ways(6))
  }
}

private struct OutOfOrder: Error {}

/// What has happened, in order.
final class Log<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  func append(_ entry: Entry) { state.withLock { $0.append(entry) } }
  var entries: [Entry] { state.withLock { $0 } }
  var count: Int { entries.count }
}
