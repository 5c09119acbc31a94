/// All orders of a run, those with the fewest overtakings first.
///
/// An order with one overtaking more than another one differs from it by what is next at one
/// decision after its last overtaking. So each order comes once, and which ones there are is known
/// when those with one overtaking less have been tried. The search is that of Emmi, Qadeer and
/// Rakamarić: *Delay-Bounded Scheduling* (POPL 2011).
struct Enumeration {
  /// An order that was tried, and how many candidates each decision after its last overtaking had.
  private struct Tried {
    let order: ExecutionSchedule
    let firstDecision: Int
    let counts: [UInt16]
  }

  private let limit: Int
  /// The orders with one overtaking less, of which the next ones are made, and where these differ.
  private var shorter: ArraySlice<Tried> = []
  private var (index, place) = (0, 0)
  /// The orders with as many overtakings as the next one that were tried.
  private var present: [Tried] = []
  /// How many orders there are with one overtaking more than the next one, as far as is known.
  private var longerOrders = 0

  /// How many overtakings the next order has.
  private(set) var overtakings = 0
  /// The number of orders with this many overtakings that were tried, and the number of those that
  /// are left.
  ///
  /// If none is left, all orders were tried.
  private(set) var (triedOfPresent, left) = (0, 1)
  /// How many orders were tried.
  private(set) var tried = 0

  /// - Parameter limit: How many orders are tried at most.
  init(limit: Int) { self.limit = limit }

  /// The next order; `nil` if there is none, or the limit is reached.
  mutating func next() -> ExecutionSchedule? {
    guard left > 0, tried < limit else { return nil }
    guard overtakings > 0 else { return .plain }
    while let first = shorter.first {
      while index < first.counts.count {
        place += 1
        if place < first.counts[index] {
          return ExecutionSchedule(
            first.order.overtakings
              + [.init(decision: first.firstDecision + index, kind: .runs(place))])
        }
        (index, place) = (index + 1, 0)
      }
      shorter.removeFirst()
      (index, place) = (0, 0)
    }
    return nil
  }

  /// An order was tried.
  ///
  /// - Parameter counts: How many candidates each decision of its run had; 1 for what was drawn.
  mutating func tried(_ order: ExecutionSchedule, counts: [UInt16]) {
    let first = order.overtakings.last.map { $0.decision + 1 } ?? 0
    let rest = Array(counts.dropFirst(first))
    longerOrders += rest.reduce(0) { $0 + Int($1) - 1 }
    // Else the limit is reached before the longer ones.
    if tried + left < limit {
      present.append(Tried(order: order, firstDecision: first, counts: rest))
    }
    (tried, triedOfPresent, left) = (tried + 1, triedOfPresent + 1, left - 1)
    guard left == 0, longerOrders > 0 else { return }
    (shorter, present, index, place) = (present[...], [], 0, 0)
    (overtakings, triedOfPresent, left) = (overtakings + 1, 0, longerOrders)
    longerOrders = 0
  }
}

extension Enumeration: CustomStringConvertible {
  /// Which orders were tried.
  var description: String {
    guard left > 0 else {
      return tried == 1
        ? "the only order was tried" : "all \(tried.formattedInGroups) orders were tried"
    }
    let all = (triedOfPresent + left).formattedInGroups
    let present = "and \(triedOfPresent.formattedInGroups) of \(all) with \(overtakings)"
    let shorter = (tried - triedOfPresent).formattedInGroups
    return switch overtakings {
    case 0: "no order was tried"
    case 1: "the plain order was tried, \(present) overtaking"
    case 2: "the \(shorter) orders with at most 1 overtaking were tried, \(present)"
    default:
      "the \(shorter) orders with at most \(overtakings - 1) overtakings were tried, \(present)"
    }
  }
}
