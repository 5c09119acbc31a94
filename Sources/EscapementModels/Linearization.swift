/// The search for an order of calls in which each answer is right.
///
/// Wing and Gong's search ("Testing and Verifying Concurrent Objects", 1993) with Lowe's memory of
/// what it has seen ("Testing for Linearizability", 2017). A call may be next if no other one, that
/// has not been made, has ended before it began.
struct Linearization<M: Model> {
  typealias Entry = History<M.Call, M.Answer>.Entry

  enum Outcome: Equatable {
    /// The numbers of the calls, in an order in which each answer is right. Those without an answer
    /// may be missing.
    case found([Int])
    /// There is no such order; the longest beginning of one.
    case none(longest: [Int])
    /// The search has used up its steps.
    case unknown
  }

  private struct State: Hashable {
    let made: NumberSet
    let model: M
  }

  private let entries: [Entry]
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
  private var head: Int { calls.count }

  /// - Parameter entries: Calls in the order in which they began.
  init(_ entries: [Entry]) {
    self.entries = entries
    let events = entries.enumerated().flatMap { number, entry in
      [(entry.beginning, number)] + (entry.end.map { [($0, number)] } ?? [])
    }.sorted { $0.0 < $1.0 }
    calls = events.map(\.1)
    let places = Dictionary(uniqueKeysWithValues: events.indices.map { (events[$0].0, $0) })
    beginnings = entries.map { places[$0.beginning]! }
    ends = entries.map { $0.end.map { places[$0]! } }
    let count = events.count
    next = (0...count).map { $0 == count ? 0 : $0 + 1 }
    former = (0...count).map { $0 == 0 ? count : $0 - 1 }
  }

  /// - Complexity: O(2^n) in the worst case, where n is the number of calls at the same time.
  mutating func search(from model: M, steps: Int) -> Outcome {
    var model = model
    var made = NumberSet()
    var path: [(call: Int, before: M)] = []
    var longest: [Int] = []
    var seen: Set<State> = []
    var answersLeft = entries.count { $0.end != nil }
    var event = next[head]
    for _ in 0..<steps {
      if answersLeft == 0 { return .found(path.map(\.call)) }
      let call = calls[event]
      let entry = entries[call]
      if event == ends[call] {
        // It ends before anything else may be next, so it should have been made.
        if path.count > longest.count { longest = path.map(\.call) }
        guard let (last, before) = path.popLast() else { return .none(longest: longest) }
        model = before
        made.remove(last)
        putBack(last)
        if entries[last].end != nil { answersLeft += 1 }
        event = next[beginnings[last]]
        continue
      }
      var changed = model
      if let answer = entry.answer {
        guard changed.allows(answer, to: entry.call) else {
          event = next[event]
          continue
        }
      } else {
        _ = changed.answer(to: entry.call)
      }
      made.insert(call)
      if seen.insert(State(made: made, model: changed)).inserted {
        path.append((call, model))
        model = changed
        takeOut(call)
        if entry.end != nil { answersLeft -= 1 }
        event = next[head]
      } else {
        made.remove(call)
        event = next[event]
      }
    }
    return .unknown
  }

  private mutating func takeOut(_ call: Int) {
    for case let event? in [beginnings[call], ends[call]] {
      next[former[event]] = next[event]
      former[next[event]] = former[event]
    }
  }

  /// Puts the events of the call back that was taken out last.
  private mutating func putBack(_ call: Int) {
    for case let event? in [ends[call], beginnings[call]] {
      next[former[event]] = event
      former[next[event]] = event
    }
  }
}
