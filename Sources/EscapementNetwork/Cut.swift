/// One direction of a link.
struct Direction: Hashable {
  let sender, receiver: UInt16

  var reversed: Direction { Direction(sender: receiver, receiver: sender) }
}

/// Links that one fault cuts.
enum Cut: Hashable {
  /// One direction of a link.
  case oneWay(Direction)
  /// Both directions of a link.
  case link(Direction)
  /// All links between two groups of hosts, which a pattern of bits tells apart.
  case groups(Int)

  /// After so many hosts, the pattern begins again.
  private static let bits = 13

  /// How many partitions of some hosts there are; for more than 13 hosts, how many are drawn.
  static func partitions(of hostCount: Int) -> Int { (1 << (min(max(hostCount, 1), bits) - 1)) - 1 }

  /// Whether a host, from 1 on, is in the group that does not have the last host of a pattern.
  static func isApart(_ host: UInt16, in groups: Int) -> Bool {
    groups >> ((Int(host) - 1) % bits) & 1 == 1
  }

  func contains(_ way: Direction) -> Bool {
    switch self {
    case .oneWay(let cut): way == cut
    case .link(let cut): way == cut || way == cut.reversed
    case .groups(let groups):
      Self.isApart(way.sender, in: groups) != Self.isApart(way.receiver, in: groups)
    }
  }

  /// The links, each direction by itself.
  func ways(among hostCount: Int) -> [Direction] {
    switch self {
    case .oneWay(let way): return [way]
    case .link(let way): return [way, way.reversed]
    case .groups(let groups):
      let hosts = (1...UInt16(hostCount)).map { ($0, Self.isApart($0, in: groups)) }
      return hosts.flatMap { sender, isApart in
        hosts.lazy.filter { $0.1 != isApart }.map { Direction(sender: sender, receiver: $0.0) }
      }
    }
  }
}
