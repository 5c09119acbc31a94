/// The search for an order of calls in which each answer is right.
///
/// Wing and Gong's search ("Testing and Verifying Concurrent Objects", 1993) with Lowe's memory of
/// what it has seen ("Testing for Linearizability", 2017). A call may be next if no other one, that
/// has not been made, has ended before it began.
@usableFromInline struct Linearization {
  @usableFromInline enum Outcome: Equatable {
    /// There is such an order. Calls without an answer may be missing in it.
    case found
    /// There is none; the numbers of the calls in the longest beginning of one, and of the state
    /// after them.
    case none(longest: [Int], state: Int)
    /// The search has not come to its end.
    case unknown
  }

  /// A call that was made.
  private struct Step {
    let call: Int
    /// Which of the states it is that the call may leave.
    let choice: Int
    /// The number of the state after the call.
    let state: Int
  }

  /// A point of the search: the calls that were made, and the state of the model.
  private struct Situation: Hashable {
    let made: NumberSet
    let state: Int
  }

  private var events: CallEvents
  private var made = NumberSet()
  private var path: [Step] = []
  private var longest: [Step] = []
  /// How many calls the path and the longest one have in common at least.
  private var common = 0
  private var seen: Set<Situation> = []
  private var answersLeft: Int
  /// The event that is looked at, and the number of the state that its call may leave.
  private var event: Int
  private var choice = 0

  /// - Parameter spans: The beginnings and the ends of the calls, in the order of the beginnings.
  @usableFromInline init(_ spans: [(beginning: Int, end: Int?)]) {
    events = CallEvents(spans)
    answersLeft = spans.count { $0.end != nil }
    event = events.first
  }

  private var state: Int { path.last?.state ?? 0 }

  /// Goes on with the search for a number of steps.
  ///
  /// - Parameters:
  ///   - steps: The number of steps.
  ///   - after: The number of one of the states that a call may leave; `nil` if there are no more,
  ///     or the call has another answer. The first state has the number 0.
  /// - Complexity: O(2ⁿ) in the worst case, where n is the number of calls at the same time.
  @usableFromInline mutating func goOn(
    _ steps: Int, after: (_ state: Int, _ call: Int, _ choice: Int) -> Int?
  ) -> Outcome {
    for _ in 0..<steps {
      if answersLeft == 0 { return .found }
      let call = events.calls[event]
      if event == events.ends[call] {
        // It ends before anything else may be next, so it should have been made.
        guard takeBack() else {
          return .none(longest: longest.map(\.call), state: longest.last?.state ?? 0)
        }
        continue
      }
      guard let changed = after(state, call, choice) else {
        look(at: events.next[event])
        continue
      }
      made.insert(call)
      if seen.insert(Situation(made: made, state: changed)).inserted {
        path.append(Step(call: call, choice: choice, state: changed))
        events.takeOut(call)
        if events.ends[call] != nil { answersLeft -= 1 }
        look(at: events.first)
      } else {
        made.remove(call)
        goPast(call, choice)
      }
    }
    return .unknown
  }

  private mutating func look(at event: Int, choice: Int = 0) {
    self.event = event
    self.choice = choice
  }

  /// Goes on to the next state that a call may leave, or to the next call.
  private mutating func goPast(_ call: Int, _ choice: Int) {
    let beginning = events.beginnings[call]
    if events.ends[call] == nil {
      look(at: beginning, choice: choice + 1)
    } else {
      look(at: events.next[beginning])
    }
  }

  /// The last call was not the right one; returns whether there was one.
  private mutating func takeBack() -> Bool {
    if path.count > longest.count {
      longest.replaceSubrange(common..., with: path[common...])
      common = path.count
    }
    guard let last = path.popLast() else { return false }
    common = min(common, path.count)
    made.remove(last.call)
    events.putBack(last.call)
    if events.ends[last.call] != nil { answersLeft += 1 }
    goPast(last.call, last.choice)
    return true
  }
}
