import Testing

@testable import EscapementNetwork

@Suite struct CutTests {
  @Test(arguments: [(1, 0), (2, 1), (3, 3), (4, 7), (13, 4095), (14, 14), (100, 100)])
  func `each partition cuts off hosts from others, and no two are the same`(
    hosts: Int, count: Int
  ) {
    #expect(Cut.partitions(of: hosts) == count)
    var seen: Set<[Bool]> = []
    for number in 0..<count {
      let cut = Cut.partition(number, of: hosts)
      // Who is cut off from the last host.
      let last = UInt16(hosts)
      let isApart = (1...last).map {
        cut.contains(Direction(sender: $0, receiver: last))
      }
      #expect(isApart.contains(true))
      seen.insert(isApart)
    }
    #expect(seen.count == count)
  }

  @Test(arguments: [
    Cut.oneWay(Direction(sender: 1, receiver: 2)), .link(Direction(sender: 3, receiver: 1)),
    .groups(0b0101), .groups(0b0110), .host(2),
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
