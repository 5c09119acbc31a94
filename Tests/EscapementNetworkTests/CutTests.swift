import Testing

@testable import EscapementNetwork

@Suite struct CutTests {
  @Test(arguments: 1...16)
  func `each partition has two groups, and no two partitions are the same`(hosts: Int) {
    let all = (1...UInt16(hosts))
    var seen: Set<[Bool]> = []
    for groups in 1..<(Cut.partitions(of: hosts) + 1) {
      let isApart = all.map { Cut.isApart($0, in: groups) }
      #expect(Set(isApart).count == 2)
      seen.insert(isApart)
    }
    #expect(
      seen.count == [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095][min(hosts, 13) - 1])
  }

  @Test(arguments: [
    Cut.oneWay(Direction(sender: 1, receiver: 2)), .link(Direction(sender: 3, receiver: 1)),
    .groups(0b0101), .groups(0b0110),
  ])
  func `a cut has the ways that it contains`(cut: Cut) {
    var ways: Set<Direction> = []
    for sender in UInt16(1)...4 {
      for receiver in UInt16(1)...4 where receiver != sender {
        let way = Direction(sender: sender, receiver: receiver)
        if cut.contains(way) { ways.insert(way) }
      }
    }
    #expect(Set(cut.ways(among: 4)) == ways)
    #expect(cut.ways(among: 4).count == ways.count)
    #expect(!ways.isEmpty)
  }
}
