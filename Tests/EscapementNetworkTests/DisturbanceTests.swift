import Testing

@testable import EscapementNetwork

@Suite struct DisturbanceTests {
  private let there = Direction(sender: 1, receiver: 2)

  private func make(
    _ kinds: NetworkFaults = .all, hosts: Int = 3, servers: [UInt16] = [2, 3]
  ) -> Disturbance {
    Disturbance(kinds, hostCount: hosts, servers: servers, for: .seconds(256))
  }

  private func fault(
    _ kind: NetworkFaults, _ place: Disturbance.Place, lasting length: Int
  ) -> Disturbance.Fault {
    Disturbance.Fault(kind: kind, place: place, delay: .zero, length: .seconds(length))
  }

  @Test(
    arguments: [
      NetworkFaults.all, .cuts, [.resets, .oneWayCuts], [.resets, .pauses], .ofHosts, .partitions,
      .nameFailures, [],
    ],
    0...5)
  func `each kind is as likely, and may strike each host and each other one, or each server`(
    kinds: NetworkFaults, hosts: Int
  ) {
    let servers = (0..<hosts).filter { $0 % 2 == 1 }.map { UInt16($0 + 1) }
    let disturbance = make(kinds, hosts: hosts, servers: servers)
    let ofServers = servers.map { Disturbance.Place.host($0) }
    let partitions = [0, 0, 1, 3, 7, 15][hosts]
    let ofGroups = (0..<partitions).map { Disturbance.Place.partition(.groups($0 + 1)) }
    var ofLinks: [Disturbance.Place] = []
    for one in 0..<hosts {
      for other in 0..<hosts where other != one {
        ofLinks.append(.link(Direction(sender: UInt16(one + 1), receiver: UInt16(other + 1))))
      }
    }
    var expected: [Disturbance.Fault] = []
    for kind in kinds.kinds {
      let places: [Disturbance.Place] =
        switch kind {
        case .partitions: ofGroups
        case .nameFailures: hosts > 1 ? [.nameServer] : []
        default: kind.isSubset(of: .ofHosts) ? ofServers : ofLinks
        }
      guard !places.isEmpty else { continue }
      for place in 0..<max(ofServers.count, ofLinks.count, ofGroups.count) {
        expected.append(fault(kind, places[place % places.count], lasting: 1))
      }
    }
    #expect(disturbance.faultCount == 8 * 1000 * expected.count)
    #expect(expected.indices.map { disturbance.fault($0) } == expected)
  }

  @Test func `a fault begins at a thousandth of its part of the time`() {
    let disturbance = make(.resets, hosts: 2)
    #expect(disturbance.start(ofChance: 0) == .zero)
    #expect(disturbance.start(ofChance: 15) == .seconds(240))
    #expect(disturbance.fault(1).delay == .zero)
    #expect(disturbance.fault(2).delay == .milliseconds(16))
    #expect(disturbance.fault(1999).delay == .milliseconds(16 * 999))
    #expect(disturbance.fault(2000).delay == .zero)
  }

  @Test func `a length is twice the one before, up to half of the time`() {
    let disturbance = make(.resets, hosts: 2)
    let lengths = (0..<8).map { disturbance.fault(2000 * $0).length }
    #expect(lengths == [1, 2, 4, 8, 16, 32, 64, 128].map { .seconds($0) })
    #expect(disturbance.fault(disturbance.faultCount - 1).length == .seconds(128))
  }

  @Test func `a cut is healed in both directions, at its end and not before`() {
    var disturbance = make()
    let fault = fault(.cuts, .link(there), lasting: 5)
    let cut = Disturbance.Condition.isCut(.link(there))
    #expect(disturbance.begin(fault, at: .seconds(10)) == [.begin(cut)])
    #expect(disturbance.isCut(there) && disturbance.isCut(there.reversed))
    #expect(disturbance.nextEnd == .seconds(15))
    #expect(disturbance.end(at: .seconds(15) - .nanoseconds(1)) == [])
    #expect(disturbance.end(at: .seconds(15)) == [.end(cut)])
    #expect(!disturbance.isCut(there))
    #expect(disturbance.nextEnd == nil)
    #expect(disturbance.end(at: .seconds(16)) == [])
  }

  @Test(arguments: [(5, 30), (20, 30), (25, 35)])
  func `a link that is cut twice is healed at the later end`(length: Int, end: Int) {
    var disturbance = make()
    let first = fault(.oneWayCuts, .link(there), lasting: 30)
    #expect(disturbance.begin(first, at: .zero) == [.begin(.isCut(.oneWay(there)))])
    let second = fault(.oneWayCuts, .link(there), lasting: length)
    #expect(disturbance.begin(second, at: .seconds(10)) == [])
    #expect(disturbance.nextEnd == .seconds(end))
  }

  @Test(arguments: [(NetworkFaults.crashes, false), (.powerLosses, true)])
  func `a host that crashes is restarted at the end, also if it crashes twice`(
    kind: NetworkFaults, losesPower: Bool
  ) {
    var disturbance = make()
    let fault = fault(kind, .host(1), lasting: 8)
    let crash = Disturbance.Effect.crash(1, losesPower: losesPower)
    #expect(disturbance.begin(fault, at: .zero) == [crash, .begin(.isDown(1))])
    #expect(disturbance.begin(fault, at: .seconds(7)) == [crash])
    #expect(disturbance.end(at: .seconds(15) - .nanoseconds(1)) == [])
    #expect(disturbance.end(at: .seconds(15)) == [.end(.isDown(1))])
  }

  @Test func `a host that is paused goes on at the end`() {
    var disturbance = make()
    #expect(
      disturbance.begin(fault(.pauses, .host(1), lasting: 8), at: .zero) == [.begin(.isPaused(1))])
    #expect(disturbance.end(at: .seconds(8)) == [.end(.isPaused(1))])
  }

  @Test func `a machine that is suspended goes on at the end, as one that is paused`() {
    var disturbance = make()
    let suspension = fault(.suspensions, .host(1), lasting: 8)
    #expect(
      disturbance.begin(suspension, at: .zero) == [.suspend(1), .begin(.isPaused(1))])
    #expect(
      disturbance.begin(fault(.pauses, .host(1), lasting: 8), at: .seconds(1)) == [])
    #expect(disturbance.end(at: .seconds(8)) == [])
    #expect(disturbance.end(at: .seconds(9)) == [.end(.isPaused(1))])
  }

  @Test(arguments: [(NetworkFaults.clocksAhead, 8), (.clocksBehind, -8)])
  func `a clock is wrong by as much as the fault lasts, and right afterwards`(
    kind: NetworkFaults, ahead: Int
  ) {
    var disturbance = make()
    #expect(
      disturbance.begin(fault(kind, .host(1), lasting: 8), at: .zero)
        == [.setClock(1, ahead: .seconds(ahead)), .begin(.hasWrongClock(1))])
    #expect(disturbance.end(at: .seconds(8)) == [.end(.hasWrongClock(1))])
  }

  @Test func `a clock is fast for some time, and right afterwards`() {
    var disturbance = make()
    #expect(
      disturbance.begin(fault(.fastClocks, .host(1), lasting: 8), at: .zero)
        == [.setDrift(1, 0.1), .begin(.hasWrongClock(1))])
    #expect(disturbance.end(at: .seconds(8)) == [.end(.hasWrongClock(1))])
  }

  @Test func `the name server answers again at the end`() {
    var disturbance = make()
    let fault = fault(.nameFailures, .nameServer, lasting: 8)
    #expect(disturbance.begin(fault, at: .zero) == [.begin(.hasNoNames)])
    #expect(disturbance.end(at: .seconds(8) - .nanoseconds(1)) == [])
    #expect(disturbance.end(at: .seconds(8)) == [.end(.hasNoNames)])
  }

  @Test func `all is whole at the end of the time`() {
    var disturbance = make()
    _ = disturbance.begin(fault(.oneWayCuts, .link(there), lasting: 128), at: .seconds(255))
    #expect(disturbance.end(at: .seconds(256) - .nanoseconds(1)) == [])
    #expect(disturbance.end(at: .seconds(256)) == [.end(.isCut(.oneWay(there)))])
  }

  @Test func `a reset is over at once`() {
    var disturbance = make()
    #expect(
      disturbance.begin(fault(.resets, .link(there), lasting: 8), at: .zero) == [.reset(1, 2)])
    #expect(disturbance.nextEnd == nil)
  }

  @Test func `a link stays cut until no fault cuts it`() {
    var disturbance = make()
    let link = fault(.cuts, .link(there), lasting: 30)
    #expect(disturbance.begin(link, at: .zero) == [.begin(.isCut(.link(there)))])
    // Hosts 1 and 3 are apart from host 2.
    let groups = fault(.partitions, .partition(.groups(0b010)), lasting: 10)
    #expect(disturbance.begin(groups, at: .zero) == [.begin(.isCut(.groups(0b010)))])
    let other = Direction(sender: 3, receiver: 2)
    #expect(disturbance.isCut(there) && disturbance.isCut(other))
    #expect(disturbance.end(at: .seconds(10)) == [.end(.isCut(.groups(0b010)))])
    #expect(disturbance.isCut(there) && !disturbance.isCut(other))
  }
}
