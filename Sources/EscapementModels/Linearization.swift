/// The search for an order of calls in which each answer is right.
///
/// Wing and Gong's search ("Testing and Verifying Concurrent Objects", 1993) with Lowe's memory of
/// what it has seen ("Testing for Linearizability", 2017). A call may be next if no other one, that
/// has not been made, has ended before it began.
@usableFromInline struct Linearization {
  @usableFromInline enum Outcome: Equatable {
    /// There is such an order. Calls without an answer may be missing in it.
    case found
    /// There is none; the numbers of the calls in the longest beginning of one.
    case none(longest: [Int])
    /// The search has not come to its end.
    case unknown
  }

  /// A point of the search: the calls that were made, and the state of the model.
  private struct Situation: Hashable {
    let made: NumberSet
    let state: Int
  }

  /// The calls of the beginnings and ends, in their order.
  private let calls: [Int]
  private let beginnings: [Int]
  private let ends: [Int?]
  /// The list of the events of all calls that have not been made: the next one and the former one
  /// of each.
  ///
  /// The place behind the last event is its head.
  private var next: [Int]
  private var former: [Int]

  private var made = NumberSet()
  private var state = 0
  /// The calls that were made, each with the state before.
  private var path: [(call: Int, before: Int)] = []
  private var longest: [Int] = []
  /// How many calls the path and the longest one have in common at least.
  private var common = 0
  private var seen: Set<Situation> = []
  private var answersLeft: Int
  private var event: Int

  /// - Parameter spans: The beginnings and the ends of the calls, in the order of the beginnings.
  @usableFromInline init(_ spans: [(beginning: Int, end: Int?)]) {
    let events = spans.enumerated().flatMap { number, span in
      [(span.beginning, number)] + (span.end.map { [($0, number)] } ?? [])
    }.sorted { $0.0 < $1.0 }
    calls = events.map(\.1)
    let places = Dictionary(uniqueKeysWithValues: events.indices.map { (events[$0].0, $0) })
    beginnings = spans.map { places[$0.beginning]! }
    ends = spans.map { $0.end.map { places[$0]! } }
    let count = events.count
    next = (0...count).map { $0 == count ? 0 : $0 + 1 }
    former = (0...count).map { $0 == 0 ? count : $0 - 1 }
    answersLeft = spans.count { $0.end != nil }
    event = next[count]
  }

  /// Goes on with the search for a number of steps.
  ///
  /// - Parameters:
  ///   - steps: The number of steps.
  ///   - after: The number of the state after a call; `nil` if it has another answer there. The
  ///     first state has the number 0.
  /// - Complexity: O(2ⁿ) in the worst case, where n is the number of calls at the same time.
  @usableFromInline mutating func goOn(
    _ steps: Int, after: (_ state: Int, _ call: Int) -> Int?
  ) -> Outcome {
    for _ in 0..<steps {
      if answersLeft == 0 { return .found }
      let call = calls[event]
      if event == ends[call] {
        // It ends before anything else may be next, so it should have been made.
        guard takeBack() else { return .none(longest: longest) }
        continue
      }
      guard let changed = after(state, call) else {
        event = next[event]
        continue
      }
      made.insert(call)
      if seen.insert(Situation(made: made, state: changed)).inserted {
        path.append((call, state))
        state = changed
        takeOut(call)
        if ends[call] != nil { answersLeft -= 1 }
        event = next[calls.count]
      } else {
        made.remove(call)
        event = next[event]
      }
    }
    return .unknown
  }

  /// The last call was not the right one; returns whether there was one.
  private mutating func takeBack() -> Bool {
    if path.count > longest.count {
      longest.replaceSubrange(common..., with: path[common...].lazy.map(\.call))
      common = path.count
    }
    guard let (last, before) = path.popLast() else { return false }
    common = min(common, path.count)
    state = before
    made.remove(last)
    putBack(last)
    if ends[last] != nil { answersLeft += 1 }
    event = next[beginnings[last]]
    return true
  }

  private mutating func takeOut(_ call: Int) {
    takeOut(event: beginnings[call])
    if let end = ends[call] { takeOut(event: end) }
  }

  /// Puts the events of the call back that was taken out last.
  private mutating func putBack(_ call: Int) {
    if let end = ends[call] { putBack(event: end) }
    putBack(event: beginnings[call])
  }

  private mutating func takeOut(event: Int) {
    next[former[event]] = next[event]
    former[next[event]] = former[event]
  }

  private mutating func putBack(event: Int) {
    next[former[event]] = event
    former[next[event]] = event
  }
}
