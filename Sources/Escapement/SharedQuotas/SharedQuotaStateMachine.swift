/// What a process knows about its calls to the store of a shared quota.
///
/// It limits the number of calls, and keeps permits that the store granted when the caller waited no longer.
struct SharedQuotaStateMachine {
  private struct Spare {
    let permits: Int
    /// The instant from which on the permits are not used any more.
    let end: Int64
  }

  private let maximumCalls: Int
  private var calls: Set<Int> = []
  private var nextID = 0
  private var spares: [String: Spare] = [:]

  init(maximumCalls: Int) { self.maximumCalls = maximumCalls }

  /// How a decision is made.
  enum Start: Hashable {
    case useSpare
    case call(Int)
    case refuse
  }

  mutating func begin(_ permits: Int, for key: String, now: Int64) -> Start {
    if let spare = spares[key] {
      if spare.end <= now {
        spares[key] = nil
      } else if spare.permits >= permits {
        let rest = spare.permits - permits
        spares[key] = rest > 0 ? Spare(permits: rest, end: spare.end) : nil
        return .useSpare
      }
    }
    guard calls.count < maximumCalls else { return .refuse }
    nextID += 1
    calls.insert(nextID)
    return .call(nextID)
  }

  /// A call does not count any more.
  mutating func ended(_ id: Int) { calls.remove(id) }

  /// The store granted permits to a caller that waits no longer.
  ///
  /// They are kept until `end` for the next caller, as a late answer to it. Permits of another key that are too
  /// old are forgotten.
  mutating func granted(_ permits: Int, for key: String, now: Int64, until end: Int64) {
    spares = spares.filter { $0.value.end > now }
    spares[key] = Spare(permits: permits + (spares[key]?.permits ?? 0), end: end)
  }
}
