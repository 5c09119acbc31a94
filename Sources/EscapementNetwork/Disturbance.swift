/// The faults that may be drawn, and those that last.
struct Disturbance {
  /// A pair of hosts: one direction of a link.
  struct Direction: Hashable {
    let sender, receiver: UInt16
  }

  /// A state of the network that lasts for some time.
  enum Condition: Hashable {
    case isCut(Direction)
    case isDown(UInt16)
    case isPaused(UInt16)
    case hasWrongClock(UInt16)
  }

  /// A change to the network.
  enum Effect: Equatable {
    case reset(UInt16, UInt16)
    case crash(UInt16, losesPower: Bool)
    case setClock(UInt16, ahead: Duration)
    case begin(Condition)
    case end(Condition)
  }

  /// A fault that may be drawn.
  struct Fault: Equatable {
    let kind: NetworkFaults
    /// The hosts; that of one host happens to the sender.
    let direction: Direction
    /// How long after its chance it begins, and how long it lasts.
    let delay, length: Duration
  }

  /// The number of chances for a fault, one after the other.
  static let chances = 16
  /// The number of instants, in the part of the time of a chance, at which a fault may begin.
  private static let instants = 1000
  /// The number of lengths, each twice the one before.
  private static let lengths = 8

  private let linkKinds, hostKinds: [NetworkFaults]
  private let hostCount: Int
  private let servers: [UInt16]
  private let duration: Duration
  /// The conditions that last, and their ends.
  private var ends: [(end: Duration, condition: Condition)] = []

  /// All hosts have numbers from 1 on.
  ///
  /// - Parameter servers: The hosts that may crash or be paused.
  init(_ kinds: NetworkFaults, hostCount: Int, servers: [UInt16], for duration: Duration) {
    linkKinds = kinds.intersection(.ofLinks).kinds
    hostKinds = kinds.intersection(.ofHosts).kinds
    self.hostCount = hostCount
    self.servers = servers
    self.duration = duration
  }

  /// For each host and each other one, and for each server, faults of each kind, at each instant and
  /// of each length.
  var faultCount: Int { Self.lengths * Self.instants * placeCount }
  private var placeCount: Int { linkKinds.count * pairCount + hostKinds.count * servers.count }
  private var pairCount: Int { hostCount * (hostCount - 1) }

  /// The fault with a number, from 0 on; those that are short and begin early have low numbers.
  func fault(_ number: Int) -> Fault {
    let (moment, place) = number.quotientAndRemainder(dividingBy: placeCount)
    let (length, instant) = moment.quotientAndRemainder(dividingBy: Self.instants)
    let (kind, direction) = what(place)
    return Fault(
      kind: kind, direction: direction,
      delay: duration * instant / (Self.chances * Self.instants),
      length: duration * (1 << length) / (Self.chances << (Self.lengths / 2)))
  }

  private func what(_ place: Int) -> (NetworkFaults, Direction) {
    let ofHosts = place - linkKinds.count * pairCount
    if ofHosts >= 0 {
      let (kind, server) = ofHosts.quotientAndRemainder(dividingBy: servers.count)
      return (hostKinds[kind], Direction(sender: servers[server], receiver: servers[server]))
    }
    let (kind, pair) = place.quotientAndRemainder(dividingBy: pairCount)
    let (sender, other) = pair.quotientAndRemainder(dividingBy: hostCount - 1)
    let receiver = other < sender ? other : other + 1
    return (
      linkKinds[kind], Direction(sender: UInt16(sender + 1), receiver: UInt16(receiver + 1))
    )
  }

  /// When a chance comes, after the beginning.
  func start(ofChance chance: Int) -> Duration { duration * chance / Self.chances }

  /// When the next condition ends; `nil` if none lasts.
  var nextEnd: Duration? { ends.map(\.end).min() }

  /// A fault begins.
  mutating func begin(_ fault: Fault, at now: Duration) -> [Effect] {
    let (there, end) = (fault.direction, min(now + fault.length, duration))
    let back = Direction(sender: there.receiver, receiver: there.sender)
    switch fault.kind {
    case .resets: return [.reset(there.sender, there.receiver)]
    case .oneWayCuts: return begin(.isCut(there), until: end)
    case .crashes, .powerLosses:
      let crash = Effect.crash(there.sender, losesPower: fault.kind == .powerLosses)
      return [crash] + begin(.isDown(there.sender), until: end)
    case .clocksAhead, .clocksBehind:
      let ahead = fault.kind == .clocksAhead ? fault.length : .zero - fault.length
      return [.setClock(there.sender, ahead: ahead)]
        + begin(.hasWrongClock(there.sender), until: end)
    case .pauses: return begin(.isPaused(there.sender), until: end)
    default: return begin(.isCut(there), until: end) + begin(.isCut(back), until: end)
    }
  }

  private mutating func begin(_ condition: Condition, until end: Duration) -> [Effect] {
    if let known = ends.firstIndex(where: { $0.condition == condition }) {
      ends[known].end = max(ends[known].end, end)
      return []
    }
    ends.append((end, condition))
    return [.begin(condition)]
  }

  /// Ends the conditions whose time is over, as each is at the end of the disturbance.
  mutating func end(at now: Duration) -> [Effect] {
    let over = ends.filter { $0.end <= now }
    ends.removeAll { $0.end <= now }
    return over.map { .end($0.condition) }
  }
}
