import Cluster
import EscapementNetwork
import EscapementTesting
import Foundation
import Testing

/// Customers book and read, while hosts are cut off, crash and stand still, and the rack loses power.
@Suite struct ClusterTests {
  /// More of them look for bugs that nobody has planted.
  private static let schedules =
    ProcessInfo.processInfo.environment["ESCAPEMENT_ROUNDS"].flatMap(Int.init) ?? 30

  @Test func `no booking is lost or doubled, and nobody reads what is old`() async throws {
    let report = try await withExploration(Self.schedules) { _ in
      try await Self.play(
        [], [.ofLinks, .crashes, .powerLosses, .pauses, .suspensions, .nameFailures],
        rackLosesPower: true)
    }
    #expect(report.failure == nil, "\(report)")
    #expect(report.firstDifference == nil)
  }

  struct PlantedBug: Sendable {
    let flaw: Flaw
    /// Faults that show it; with all faults, it takes more schedules.
    let faults: NetworkFaults
    let rackLosesPower: Bool
    let message: String

    func play() async throws {
      try await ClusterTests.play([flaw], faults, rackLosesPower: rackLosesPower)
    }
  }

  @Test(arguments: [
    PlantedBug(
      flaw: .trustsAnEndedLease, faults: .partitions, rackLosesPower: false, message: "isLost"),
    PlantedBug(flaw: .forgetsToSync, faults: .pauses, rackLosesPower: true, message: "isLost"),
    PlantedBug(
      flaw: .appliesRetriesTwice, faults: [.resets, .oneWayCuts], rackLosesPower: false,
      message: "isTwice"),
  ])
  func `a planted bug is found, made small and replayed`(bug: PlantedBug) async throws {
    let report = try await withExploration(1000) { _ in try await bug.play() }
    let failure = try #require(report.failure)
    #expect(failure.messages.allSatisfy { $0.hasPrefix(bug.message) }, "\(failure)")
    #expect((1...3).contains(failure.steps.count), "\(failure)")
    #expect(report.firstDifference == nil)
    await #expect(throws: History.Wrong.self) {
      try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
        try await bug.play()
      }
    }
  }

  /// Twenty seconds with customers who book and read, and the ledger afterwards.
  private static func play(
    _ flaws: Set<Flaw>, _ faults: NetworkFaults, rackLosesPower: Bool
  ) async throws {
    let cluster = try SimulatedCluster(flaws)
    let history = History()
    async let disturbance: Void = cluster.network.disturb(faults, for: .seconds(20))
    async let outages: Void = cluster.losePower(for: rackLosesPower ? 20 : 0)
    try await withThrowingTaskGroup { tasks in
      for customer in cluster.customers {
        tasks.addTask {
          try await cluster.withClient(of: customer) { client in
            for number in 1...5 {
              let booking = Booking(id: "\(customer) \(number)", text: "tea")
              try await client.book(booking)
              history.confirm(booking)
              try await Task.sleep(for: .seconds(3))
            }
          }
        }
        tasks.addTask {
          try await cluster.withClient(of: customer) { client in
            for _ in 1...8 {
              try await Task.sleep(for: .seconds(2.5))
              try await history.check { try await client.bookings() }
            }
          }
        }
      }
      try await tasks.waitForAll()
    }
    _ = try await (disturbance, outages)
    try await cluster.withClient(of: cluster.customers[0]) { client in
      try await history.check { try await client.bookings() }
    }
  }
}
