import Testing

@testable import EscapementVirtualTime

/// How long a scope may go on as it does, in real time, with limits of 1 s and 60 s.
@Suite struct ScopeStateWatchingTests {
  private let second: Nanoseconds = 1_000_000_000
  private let leftover = Leftover(task: TaskDescription(id: 1, name: nil), sleep: nil)

  private func parked(held: Bool = false) -> ScopeState {
    var state = ScopeState(options: VirtualTimeOptions())
    _ = state.startDraining()
    if held { state.openHold() }
    _ = state.next()
    return state
  }

  /// What a look says, in words.
  private func look(_ state: inout ScopeState, at time: Nanoseconds) -> String {
    switch state.look(at: time) {
    case .nothing: "nothing"
    case .again(let delay): "again after \(delay)"
    case .drain: "drain"
    case .lost(_, let leftovers): "lost \(leftovers.count)"
    }
  }

  @Test func `a scope that waits is looked at after the stall limit`() {
    var state = parked()
    #expect(state.startWatching(at: 5) == second)
    #expect(look(&state, at: 5 + second - 1) == "again after 1")
    #expect(look(&state, at: 5 + second) == "drain")
    #expect(state.nextStep() == "too long stalled")
    #expect(state.nextStep() == "wait stalled")
  }

  @Test func `a look that is due stands for later waits`() {
    var state = parked()
    #expect(state.startWatching(at: 0) == second)
    _ = state.startDraining()
    _ = state.next()
    #expect(state.startWatching(at: second - 1) == nil)
    #expect(look(&state, at: second) == "again after \(second - 1)")
    #expect(look(&state, at: 2 * second - 1) == "drain")
  }

  @Test func `a scope that is held has the longer limit`() {
    var state = parked(held: true)
    #expect(state.startWatching(at: 0) == second)
    #expect(look(&state, at: 60 * second - 1) == "again after 1")
    #expect(look(&state, at: 60 * second) == "drain")
    #expect(state.nextStep() == "too long held")
  }

  @Test func `a scope that is stuck after a hold is found after the stall limit`() {
    var state = parked(held: true)
    #expect(state.startWatching(at: 0) == second)
    #expect(state.closeHold() == true)
    _ = state.next()
    #expect(state.startWatching(at: 10) == nil)
    #expect(look(&state, at: second) == "again after 10")
    #expect(look(&state, at: second + 10) == "drain")
    #expect(state.nextStep() == "too long stalled")
  }

  @Test func `a scope that runs is not limited`() {
    var state = parked()
    _ = state.startWatching(at: 0)
    _ = state.startDraining()
    #expect(look(&state, at: 100 * second) == "nothing")
    #expect(state.startWatching(at: 0) == nil)
  }

  @Test func `a lane that does not come back at the end is given up, and another place is not`() {
    var state = parked()
    _ = state.endBody()
    #expect(state.leave([leftover]) == true)
    #expect(state.beginTurn(at: .main) == true)
    #expect(state.startWatching(at: 0) == nil)
    #expect(state.beginTurn(at: .lane) == true)
    #expect(state.startWatching(at: 0) == second)
    #expect(look(&state, at: second - 1) == "again after 1")
    #expect(look(&state, at: second) == "lost 1")
    #expect(state.life.hasEnded)
    #expect(state.beginTurn(at: .lane) == false)
    #expect(look(&state, at: 9 * second) == "nothing")
  }

  @Test func `at the end tasks on other threads are not waited for longer than the hold limit`() {
    var state = parked()
    _ = state.endBody()
    guard case .park(.elsewhere) = state.next(isUnderway: true) else {
      Issue.record("it must wait")
      return
    }
    #expect(state.startWatching(at: 0) == second)
    #expect(look(&state, at: 60 * second - 1) == "again after 1")
    #expect(look(&state, at: 60 * second) == "drain")
    guard case .waitedTooLong(.elsewhere) = state.next(isUnderway: true),
      case .cancelLeftovers = state.next(isUnderway: true)
    else {
      Issue.record("it must go on")
      return
    }
  }
}
