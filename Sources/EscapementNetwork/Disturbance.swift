/// The faults that may be drawn, and those that last.
struct Disturbance {
  /// A state of the network that lasts for some time.
  enum Condition: Hashable {
    case isCut(Cut)
    case isDown(UInt16)
    case isPaused(UInt16)
    case hasWrongClock(UInt16)
    case hasNoNames
  }

  /// A change to the network.
  enum Effect: Equatable {
    case reset(UInt16, UInt16)
    case crash(UInt16, losesPower: Bool)
    case suspend(UInt16)
    case setClock(UInt16, ahead: Duration)
    case setDrift(UInt16, Double)
    case begin(Condition)
    case end(Condition)
  }

  /// The place at which a fault happens.
  enum Place: Hashable {
    case host(UInt16)
    case link(Direction)
    case partition(Cut)
    case nameServer
  }

  /// A fault that may be drawn.
  struct Fault: Equatable {
    let kind: NetworkFaults
    let place: Place
    /// How long after its chance it begins, and how long it lasts.
    let delay, length: Duration
  }

  /// The number of chances for a fault, one after the other.
  static let chances = 16
  /// The number of instants, in the part of the time of a chance, at which a fault may begin.
  private static let instants = 1000
  /// The number of lengths, each twice the one before.
  private static let lengths = 8

  private let kinds: [NetworkFaults]
  private let hostCount: Int
  private let servers: [UInt16]
  private let duration: Duration
  /// The conditions that last, and their ends.
  private var ends: [(end: Duration, condition: Condition)] = []

  /// All hosts have numbers from 1 on.
  ///
  /// - Parameter servers: The hosts that may crash or be paused.
  init(_ kinds: NetworkFaults, hostCount: Int, servers: [UInt16], for duration: Duration) {
    var possible: NetworkFaults = []
    if hostCount > 1 { possible.formUnion([.ofLinks, .nameFailures]) }
    if !servers.isEmpty { possible.formUnion(.ofHosts) }
    self.kinds = kinds.intersection(possible).kinds
    self.hostCount = hostCount
    self.servers = servers
    self.duration = duration
  }

  /// As many of each kind, at each instant and of each length, although links are more than servers.
  var faultCount: Int { Self.lengths * Self.instants * kinds.count * placeCount }
  private var placeCount: Int {
    max(pairCount, servers.count, Cut.partitions(of: hostCount))
  }
  private var pairCount: Int { hostCount * (hostCount - 1) }

  /// The fault with a number, from 0 on; those that are short and begin early have low numbers.
  func fault(_ number: Int) -> Fault {
    let (moment, what) = number.quotientAndRemainder(dividingBy: kinds.count * placeCount)
    let (length, instant) = moment.quotientAndRemainder(dividingBy: Self.instants)
    let (kind, place) = what.quotientAndRemainder(dividingBy: placeCount)
    return Fault(
      kind: kinds[kind], place: self.place(of: kinds[kind], place),
      delay: duration * instant / (Self.chances * Self.instants),
      length: duration * (1 << length) / (Self.chances << (Self.lengths / 2)))
  }

  private func place(of kind: NetworkFaults, _ place: Int) -> Place {
    if kind == .nameFailures { return .nameServer }
    if kind.isSubset(of: .ofHosts) { return .host(servers[place % servers.count]) }
    if kind == .partitions {
      return .partition(
        .partition(place % Cut.partitions(of: hostCount), of: hostCount))
    }
    let (sender, other) = (place % pairCount).quotientAndRemainder(dividingBy: hostCount - 1)
    let receiver = other < sender ? other : other + 1
    return .link(Direction(sender: UInt16(sender + 1), receiver: UInt16(receiver + 1)))
  }

  /// When a chance comes, after the beginning.
  func start(ofChance chance: Int) -> Duration { duration * chance / Self.chances }

  /// When the next condition ends; `nil` if none lasts.
  var nextEnd: Duration? { ends.map(\.end).min() }

  /// A fault begins.
  mutating func begin(_ fault: Fault, at now: Duration) -> [Effect] {
    let end = min(now + fault.length, duration)
    switch fault.place {
    case .nameServer: return begin(.hasNoNames, until: end)
    case .partition(let cut): return begin(.isCut(cut), until: end)
    case .link(let way):
      switch fault.kind {
      case .resets: return [.reset(way.sender, way.receiver)]
      case .oneWayCuts: return begin(.isCut(.oneWay(way)), until: end)
      default: return begin(.isCut(.link(way)), until: end)
      }
    case .host(let host):
      switch fault.kind {
      case .pauses: return begin(.isPaused(host), until: end)
      case .suspensions: return [.suspend(host)] + begin(.isPaused(host), until: end)
      case .crashes, .powerLosses:
        let crash = Effect.crash(host, losesPower: fault.kind == .powerLosses)
        return [crash] + begin(.isDown(host), until: end)
      case .fastClocks: return [.setDrift(host, 0.1)] + begin(.hasWrongClock(host), until: end)
      default:
        let ahead = fault.kind == .clocksAhead ? fault.length : .zero - fault.length
        return [.setClock(host, ahead: ahead)] + begin(.hasWrongClock(host), until: end)
      }
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

  /// Whether a fault that lasts cuts one direction of a link.
  func isCut(_ way: Direction) -> Bool {
    ends.contains { if case .isCut(let cut) = $0.condition { cut.contains(way) } else { false } }
  }

  /// Ends the conditions whose time is over, as each is at the end of the disturbance.
  mutating func end(at now: Duration) -> [Effect] {
    let over = ends.filter { $0.end <= now }
    ends.removeAll { $0.end <= now }
    return over.map { .end($0.condition) }
  }
}
