import CVirtualTime
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

  /// Looks at the scope each time that is asked for; returns when it was no longer, and what was found.
  private func lookOn(_ state: inout ScopeState, from start: Nanoseconds) -> (Nanoseconds, String) {
    var time = start
    while true {
      switch state.look(at: time) {
      case .again(let delay): time += delay
      case .nothing: return (time, "nothing")
      case .drain: return (time, "drain")
      case .lost(_, let leftovers): return (time, "lost \(leftovers.count)")
      }
    }
  }

  @Test func `a scope that waits is drained after the stall limit`() {
    var state = parked()
    #expect(state.startWatching(at: 5) == second / 8)
    #expect(lookOn(&state, from: 5 + second / 8) == (5 + second, "drain"))
    #expect(state.nextStep() == "too long stalled")
    #expect(state.nextStep() == "wait stalled")
  }

  @Test func `time in which the process has not run does not count`() {
    var state = parked()
    _ = state.startWatching(at: 0)
    // It was stopped for a minute.
    #expect(look(&state, at: 60 * second) == "again after \(second / 8)")
    #expect(lookOn(&state, from: 60 * second) == (60 * second + second * 3 / 4, "drain"))
  }

  @Test func `a look whose time is before the beginning of the wait counts nothing`() {
    var state = parked()
    _ = state.startWatching(at: second)
    #expect(look(&state, at: 0) == "again after \(second / 8)")
    #expect(lookOn(&state, from: second + second / 8) == (2 * second, "drain"))
  }

  @Test func `a look that is due stands for later waits`() {
    var state = parked()
    #expect(state.startWatching(at: 0) == second / 8)
    _ = state.startDraining()
    _ = state.next()
    #expect(state.startWatching(at: 7) == nil)
    #expect(look(&state, at: second / 8) == "again after \(second / 8)")
    #expect(lookOn(&state, from: second / 4) == (second + 7, "drain"))
  }

  @Test func `a look counts from where a later wait has begun that it finds`() {
    var state = parked()
    _ = state.startWatching(at: 0)
    _ = state.startDraining()
    _ = state.next()
    #expect(lookOn(&state, from: second / 8) == (second + second / 8, "drain"))
  }

  @Test func `a scope that is held has the longer limit`() {
    var state = parked(held: true)
    #expect(state.startWatching(at: 0) == second / 8)
    #expect(lookOn(&state, from: second / 8) == (60 * second, "drain"))
    #expect(state.nextStep() == "too long held")
  }

  @Test func `a scope that is stuck after a hold is found after the stall limit`() {
    var state = parked(held: true)
    #expect(state.startWatching(at: 0) == second / 8)
    #expect(state.closeHold() == true)
    _ = state.next()
    #expect(state.startWatching(at: 10) == nil)
    #expect(lookOn(&state, from: second / 8) == (second + 10, "drain"))
    #expect(state.nextStep() == "too long stalled")
  }

  @Test func `the shortest wait is looked at each millisecond`() {
    var state = ScopeState(options: VirtualTimeOptions(stallLimit: .zero))
    _ = state.startDraining()
    _ = state.next()
    #expect(state.startWatching(at: 0) == 1_000_000)
    #expect(look(&state, at: 1_000_000) == "drain")
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
    #expect(state.startWatching(at: 0) == second / 8)
    #expect(lookOn(&state, from: second / 8) == (5 * second, "lost 1"))
    #expect(state.life.hasEnded)
    #expect(state.beginTurn(at: .lane) == false)
    #expect(look(&state, at: 9 * second) == "nothing")
  }

  private func ending(at place: Place, thread: Int32 = 7) -> ScopeState {
    var state = parked()
    _ = state.endBody()
    _ = state.leave([leftover])
    _ = state.beginTurn(at: place, thread: thread)
    return state
  }

  @Test func `a lane that has not begun its turn is not given up`() {
    var state = ending(at: .lane)
    #expect(state.thread == 7)
    _ = state.handOver(to: nil)
    #expect(state.thread == nil)
    #expect(state.startWatching(at: 0) == nil)
    #expect(look(&state, at: 60 * second) == "nothing")
  }

  @Test func `a lane that gets no processor is not given up`() {
    var state = ending(at: .lane)
    _ = state.startWatching(at: 0)
    for look in 1...100 {
      let effort = cvt_effort(is_waiting: false, processor_time: 5)
      guard case .again = state.look(at: Nanoseconds(look) * second / 8, effort: effort) else {
        Issue.record("it was given up at look \(look)")
        return
      }
    }
  }

  @Test func `a lane that keeps a processor is given up when it has used it for long enough`() {
    var state = ending(at: .lane)
    _ = state.startWatching(at: 0)
    var looks = 0
    while true {
      looks += 1
      let time = Nanoseconds(looks) * second / 8
      // It gets every other slice.
      let effort = cvt_effort(is_waiting: false, processor_time: time / 2)
      guard case .again = state.look(at: time, effort: effort) else { break }
    }
    // What it used before the first look is not known.
    #expect(looks == 81)
  }

  @Test func `while the process gets half of the processors that it could use, half counts`() {
    var state = parked()
    _ = state.startWatching(at: 0)
    var looks = 0
    while true {
      looks += 1
      guard case .again = state.look(at: Nanoseconds(looks) * second / 8, share: 0.5) else { break }
    }
    #expect(looks == 16)
    #expect(state.nextStep() == "too long stalled")
  }

  @Test func `a lane that waits for something is given up after five times the stall limit`() {
    var state = ending(at: .lane)
    _ = state.startWatching(at: 0)
    let effort = cvt_effort(is_waiting: true, processor_time: 5)
    for look in 1...39 {
      guard case .again = state.look(at: Nanoseconds(look) * second / 8, effort: effort) else {
        Issue.record("it was given up at look \(look)")
        return
      }
    }
    guard case .lost = state.look(at: 5 * second, effort: effort) else {
      Issue.record("it was not given up")
      return
    }
  }

  @Test func `at the end tasks on other threads are not waited for longer than the hold limit`() {
    var state = parked()
    _ = state.endBody()
    guard case .park(.elsewhere) = state.next(isUnderway: true) else {
      Issue.record("it must wait")
      return
    }
    #expect(state.startWatching(at: 0) == second / 8)
    #expect(lookOn(&state, from: second / 8) == (60 * second, "drain"))
    guard case .waitedTooLong(.elsewhere) = state.next(isUnderway: true),
      case .cancelLeftovers = state.next(isUnderway: true)
    else {
      Issue.record("it must go on")
      return
    }
  }
}
