import Cluster
import EscapementModels
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
    var shrinkLimit = 150

    func play() async throws {
      try await ClusterTests.play([flaw], faults, rackLosesPower: rackLosesPower)
    }
  }

  @Test(arguments: [
    PlantedBug(flaw: .trustsAnEndedLease, faults: .partitions, rackLosesPower: false),
    PlantedBug(flaw: .forgetsToSync, faults: .pauses, rackLosesPower: true),
    PlantedBug(
      flaw: .appliesRetriesTwice, faults: [.resets, .oneWayCuts], rackLosesPower: false,
      shrinkLimit: 300),
  ])
  func `a planted bug is found, made small and replayed`(bug: PlantedBug) async throws {
    let options = ExplorationOptions(shrinkLimit: bug.shrinkLimit)
    let report = try await withExploration(1000, options) { _ in try await bug.play() }
    let failure = try #require(report.failure)
    let text = try #require(failure.messages.first)
    #expect(text.contains("No order of these calls gives their answers:"), "\(failure)")
    #expect((2...6).contains(text.components(separatedBy: "[ ").count - 1), "\(failure)")
    let faults = failure.steps.filter { !$0.contains(#/overtakes|looks at its files/#) }
    #expect((1...3).contains(faults.count), "\(failure)")
    #expect(report.firstDifference == nil)
    try await withKnownIssue {
      try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
        try await bug.play()
      }
    } matching: {
      $0.comments.contains { text.contains($0.rawValue) }
    }
  }

  /// A small schedule needs more attempts: the calls must come in a moment of their own.
  @Test func `a leader that was paused answers with what is old`() async throws {
    let bug = PlantedBug(flaw: .trustsAnEndedLease, faults: .pauses, rackLosesPower: false)
    let report = try await withExploration(1000, ExplorationOptions(shrinkLimit: 0)) { _ in
      try await bug.play()
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.contains { $0.contains("No order of these calls") }, "\(failure)")
    #expect(report.firstDifference == nil)
    await withKnownIssue {
      try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
        try await bug.play()
      }
    }
  }

  /// Twenty seconds with customers who book and read, and a question afterwards.
  private static func play(
    _ flaws: Set<Flaw>, _ faults: NetworkFaults, rackLosesPower: Bool
  ) async throws {
    let cluster = try SimulatedCluster(flaws)
    async let disturbance: Void = cluster.network.disturb(faults, for: .seconds(20))
    async let outages: Void = cluster.losePower(for: rackLosesPower ? 20 : 0)
    try await cluster.withCustomers { customers in
      var count = 0
      await expectLinearizable(
        SequentialLedger(), clients: 4, each: 8, restingFor: .seconds(2.5),
        calls: { SequentialLedger.randomCall(&$0, booking: &count) }
      ) { call, client in
        try await customers[client % 2].perform(call)
      }
      // Whatever has struck, the cluster has recovered.
      _ = try await customers[0].perform(.read)
    }
    _ = try await (disturbance, outages)
  }
}
