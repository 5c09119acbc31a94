/// The faults that may be drawn, and the cuts that last.
struct Disturbance {
  /// One direction of a link.
  struct Direction: Hashable {
    let sender, receiver: UInt16
  }

  /// A change to the network.
  enum Effect: Equatable {
    case cut(Direction)
    case heal(Direction)
    case reset(UInt16, UInt16)
  }

  /// A fault that may be drawn.
  struct Fault: Equatable {
    let kind: NetworkFaults
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

  private let kinds: [NetworkFaults]
  private let hostCount: Int
  private let duration: Duration
  /// The directions that are cut, and when they are healed.
  private var ends: [(end: Duration, direction: Direction)] = []

  /// All hosts have numbers from 1 on.
  init(_ kinds: NetworkFaults, hostCount: Int, for duration: Duration) {
    self.kinds = kinds.kinds
    self.hostCount = hostCount
    self.duration = duration
  }

  /// For each host and each other one, faults of each kind, at each instant and of each length.
  var faultCount: Int { Self.lengths * Self.instants * kinds.count * pairCount }
  private var pairCount: Int { hostCount * (hostCount - 1) }

  /// The fault with a number, from 0 on; those that are short and begin early have low numbers.
  func fault(_ number: Int) -> Fault {
    let (moment, place) = number.quotientAndRemainder(dividingBy: kinds.count * pairCount)
    let (length, instant) = moment.quotientAndRemainder(dividingBy: Self.instants)
    let (kind, pair) = place.quotientAndRemainder(dividingBy: pairCount)
    let (sender, other) = pair.quotientAndRemainder(dividingBy: hostCount - 1)
    let receiver = other < sender ? other : other + 1
    return Fault(
      kind: kinds[kind],
      direction: Direction(sender: UInt16(sender + 1), receiver: UInt16(receiver + 1)),
      delay: duration * instant / (Self.chances * Self.instants),
      length: duration * (1 << length) / (Self.chances << (Self.lengths / 2)))
  }

  /// When a chance comes, after the beginning.
  func start(ofChance chance: Int) -> Duration { duration * chance / Self.chances }

  /// When the next cut ends; `nil` if no direction is cut.
  var nextEnd: Duration? { ends.map(\.end).min() }

  /// A fault begins.
  mutating func begin(_ fault: Fault, at now: Duration) -> [Effect] {
    let (there, end) = (fault.direction, min(now + fault.length, duration))
    switch fault.kind {
    case .resets: return [.reset(there.sender, there.receiver)]
    case .oneWayCuts: return cut(there, until: end)
    default:
      let back = Direction(sender: there.receiver, receiver: there.sender)
      return cut(there, until: end) + cut(back, until: end)
    }
  }

  private mutating func cut(_ direction: Direction, until end: Duration) -> [Effect] {
    if let known = ends.firstIndex(where: { $0.direction == direction }) {
      ends[known].end = max(ends[known].end, end)
      return []
    }
    ends.append((end, direction))
    return [.cut(direction)]
  }

  /// Heals the directions whose cut has ended, as each has at the end of the time.
  mutating func heal(at now: Duration) -> [Effect] {
    let over = ends.filter { $0.end <= now }
    ends.removeAll { $0.end <= now }
    return over.map { .heal($0.direction) }
  }
}
