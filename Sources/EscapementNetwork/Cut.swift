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
  /// All links between two groups of hosts: those whose bits are set, and the others.
  case groups(Int)
  /// All links of a host.
  case host(UInt16)

  /// How many ways there are to cut off hosts from the others: all of them, or each host by itself if
  /// all would be more than some thousands.
  static func partitions(of hostCount: Int) -> Int {
    hostCount > 13 ? hostCount : (1 << max(hostCount - 1, 0)) - 1
  }

  /// One of the partitions, from 0 on.
  static func partition(_ number: Int, of hostCount: Int) -> Cut {
    hostCount > 13 ? .host(UInt16(number + 1)) : .groups(number + 1)
  }

  /// Whether a host, from 1 on, is one of those whose bits are set.
  static func isApart(_ host: UInt16, in groups: Int) -> Bool { groups >> (host - 1) & 1 == 1 }

  func contains(_ way: Direction) -> Bool {
    switch self {
    case .oneWay(let cut): way == cut
    case .link(let cut): way == cut || way == cut.reversed
    case .groups(let groups):
      Self.isApart(way.sender, in: groups) != Self.isApart(way.receiver, in: groups)
    case .host(let host): (way.sender == host) != (way.receiver == host)
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
    case .host(let host):
      return (1...UInt16(hostCount)).filter { $0 != host }.flatMap {
        let way = Direction(sender: host, receiver: $0)
        return [way, way.reversed]
      }
    }
  }
}
