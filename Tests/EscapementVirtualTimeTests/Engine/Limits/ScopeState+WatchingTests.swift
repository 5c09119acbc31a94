import CVirtualTime
import TestSupport
import Testing

@testable import EscapementVirtualTime

/// How long a scope may go on as it does, in real time, with limits of 1 s, 8 s and 5 s.
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

  private func draining(by drainer: Drainer = .worker, isCaller: Bool = false) -> ScopeState {
    var state = parked()
    _ = state.startDraining()
    _ = state.takeBaton(by: drainer, thread: 7, isCaller: isCaller)
    return state
  }

  private func cancelling() -> ScopeState {
    var state = parked()
    _ = state.endBody()
    _ = state.leave([leftover])
    _ = state.takeBaton(by: .worker, thread: 7)
    return state
  }

  private func word(for action: ScopeState.WatchAction) -> String? {
    switch action {
    case .nothing: nil
    case .drain: "drain"
    case .blocked(let thread): "blocked \(thread)"
    case .lost(_, let body): "lost \(body)"
    }
  }

  /// Looks at the scope eight times in a second, until there is something to do; returns what, and after
  /// how many looks.
  private func lookOn(
    _ state: inout ScopeState, from start: Nanoseconds = 0, atMost looks: Int = 1_000,
    jobs: (Int) -> Int64 = { _ in 0 }, effort: (Nanoseconds) -> cvt_effort? = { _ in nil },
    share: Double = 1, cancels: Bool = true
  ) -> (looks: Int, found: String?) {
    for look in 0...looks {
      let time = start + Nanoseconds(look) * second / 8
      let found = state.look(at: time, jobs: jobs(look), effort: effort(time), share: share)
      if case .blocked = found, cancels { state.beginCancellation() }
      if let word = word(for: found) { return (look, word) }
    }
    return (looks, nil)
  }

  @Test func `what follows a cancellation counts when that has begun`() {
    var state = draining()
    #expect(lookOn(&state, cancels: false) == (40, "blocked 7"))
    #expect(lookOn(&state, from: 5 * second, cancels: false).found == nil)
    state.beginCancellation()
    #expect(lookOn(&state, from: 200 * second) == (8, "lost givenUp"))
  }

  // MARK: A scope that waits

  @Test func `a scope that waits is drained after the stall limit`() {
    var state = parked()
    #expect(lookOn(&state) == (8, "drain"))
    #expect(state.nextStep() == "too long stalled")
    #expect(state.nextStep() == "wait stalled")
  }

  @Test func `time in which the process has not run does not count`() {
    var state = parked()
    #expect(word(for: state.look(at: 0)) == nil)
    // It was stopped for a minute.
    #expect(word(for: state.look(at: 60 * second)) == nil)
    #expect(lookOn(&state, from: 60 * second) == (6, "drain"))
  }

  @Test func `a look whose time is before the one before counts nothing`() {
    var state = parked()
    #expect(word(for: state.look(at: second)) == nil)
    #expect(word(for: state.look(at: 0)) == nil)
    #expect(lookOn(&state, from: second) == (8, "drain"))
  }

  @Test func `a wait counts from the first look that finds it`() {
    var state = parked()
    #expect(lookOn(&state, atMost: 7) == (7, nil))
    _ = state.startDraining()
    _ = state.next()
    #expect(lookOn(&state, from: second) == (8, "drain"))
  }

  @Test func `a scope that is held has the longer limit`() {
    var state = parked(held: true)
    #expect(lookOn(&state) == (64, "drain"))
    #expect(state.nextStep() == "too long held")
  }

  @Test func `after its body has been cancelled, a scope that is held has the shorter limit`() {
    var state = parked(held: true)
    _ = state.reachLimit()
    #expect(lookOn(&state) == (8, "drain"))
    #expect(state.nextStep() == "too long held")
  }

  @Test func `a scope that is stuck after a hold is found after the stall limit`() {
    var state = parked(held: true)
    #expect(lookOn(&state, atMost: 60) == (60, nil))
    #expect(state.closeHold() == true)
    _ = state.next()
    #expect(lookOn(&state, from: 8 * second) == (8, "drain"))
    #expect(state.nextStep() == "too long stalled")
  }

  @Test func `without a stall limit the first look finds the wait`() {
    var state = ScopeState(options: VirtualTimeOptions(stallLimit: .zero))
    _ = state.startDraining()
    _ = state.next()
    #expect(word(for: state.look(at: 0)) == "drain")
  }

  @Test func `while the process gets half of the processors that it could use, half counts`() {
    var state = parked()
    #expect(lookOn(&state, share: 0.5) == (16, "drain"))
  }

  @Test func `at the end tasks on other threads are not waited for longer than the hold limit`() {
    var state = parked()
    _ = state.endBody()
    guard case .park(.elsewhere) = state.next(isUnderway: true) else {
      Issue.record("it must wait")
      return
    }
    #expect(lookOn(&state) == (64, "drain"))
    guard case .waitedTooLong(.elsewhere) = state.next(isUnderway: true),
      case .cancelLeftovers = state.next(isUnderway: true)
    else {
      Issue.record("it must go on")
      return
    }
  }

  // MARK: A job that runs

  @Test
  func `a job that blocks its thread is found after the block limit, and lost a second later`() {
    var state = draining()
    let waits = cvt_effort(is_waiting: true, processor_time: 5)
    #expect(lookOn(&state, effort: { _ in waits }) == (40, "blocked 7"))
    #expect(!state.life.hasEnded)
    #expect(lookOn(&state, from: 6 * second, effort: { _ in waits }) == (8, "lost givenUp"))
    #expect(state.life.hasEnded)
    #expect(state.takeBaton(by: .worker) == false)
    #expect(lookOn(&state, from: 9 * second) == (1_000, nil))
  }

  @Test func `jobs that follow each other have no limit of real time`() {
    var state = draining()
    #expect(lookOn(&state, jobs: { Int64($0) }) == (1_000, nil))
  }

  @Test func `a job in which time moves is not blocked`() {
    var state = draining()
    for look in 0...1_000 {
      state.time.move(to: Nanoseconds(look))
      #expect(word(for: state.look(at: Nanoseconds(look) * second / 8)) == nil)
    }
    #expect(lookOn(&state, from: 200 * second).found == "blocked 7")
  }

  @Test func `while time moves, a scope may run for long`() {
    var state = draining()
    for look in 0...1_000 {
      state.time.move(to: Nanoseconds(look))
      let found = state.look(at: Nanoseconds(look) * second / 8, jobs: Int64(look))
      #expect(word(for: found) == nil)
    }
  }

  @Test func `sleeps in real time are found when time has stood for long enough`() {
    var state = ScopeState(options: VirtualTimeOptions(standardClocks: .real))
    _ = state.startDraining()
    for look in 0..<64 {
      // Each sleep is a wait of its own.
      let sleep = state.beginRealSleep(.standIn(1))
      _ = state.next()
      #expect(word(for: state.look(at: Nanoseconds(look) * second / 8)) == nil)
      _ = state.time.holds.endSleep(sleep)
      _ = state.startDraining()
    }
    _ = state.beginRealSleep(.standIn(1))
    _ = state.next()
    #expect(word(for: state.look(at: 8 * second)) == "drain")
    #expect(state.nextStep() == "too long held")
  }

  @Test(arguments: [VirtualTimeOptions.StandardClocks.virtual, .real])
  func `holds of less than the limit do not add up`(clocks: VirtualTimeOptions.StandardClocks) {
    var state = ScopeState(options: VirtualTimeOptions(standardClocks: clocks))
    _ = state.startDraining()
    for look in 0..<200 {
      state.openHold()
      _ = state.next()
      #expect(word(for: state.look(at: Nanoseconds(look) * second / 8)) == nil)
      _ = state.closeHold()
    }
  }

  @Test func `while a report is made, the thread that makes it is not blocked`() {
    var state = draining()
    let isFirst = state.beginReport()
    #expect(isFirst)
    #expect(lookOn(&state) == (1_000, nil))
    _ = state.reachLimit()
    let isSecond = state.beginReport()
    #expect(!isSecond)
    #expect(lookOn(&state, from: 200 * second).found == "lost givenUp")
  }

  @Test func `after its body is given up, a scope does not wait for tasks on other threads`() {
    var state = parked()
    _ = state.startDraining()
    _ = state.next(isUnderway: true)
    #expect(lookOn(&state) == (64, "drain"))
    guard case .waitedTooLong(.elsewhere) = state.next(isUnderway: true) else {
      Issue.record("it must be too long")
      return
    }
    _ = state.reachLimit()
    _ = state.next(isUnderway: true)
    #expect(lookOn(&state, from: 9 * second) == (8, "drain"))
    guard case .waitedTooLong(.elsewhere) = state.next(isUnderway: true) else {
      Issue.record("it must be too long once more")
      return
    }
    _ = state.reachLimit()
    guard case .cancelLeftovers = state.next(isUnderway: true) else {
      Issue.record("it must go on")
      return
    }
  }

  @Test func `a job that comes back when it is cancelled is not lost`() {
    var state = draining()
    #expect(lookOn(&state) == (40, "blocked 7"))
    #expect(lookOn(&state, from: 6 * second, atMost: 60, jobs: { Int64($0 + 1) }) == (60, nil))
  }

  @Test func `a second job that blocks its thread is lost without a second report`() {
    var state = draining()
    #expect(lookOn(&state) == (40, "blocked 7"))
    #expect(state.isStillBlocked(jobs: 0))
    #expect(!state.isStillBlocked(jobs: 1))
    #expect(lookOn(&state, from: 6 * second, jobs: { _ in 1 }) == (40, "lost givenUp"))
  }

  @Test func `after the body has been cancelled, a job that blocks its thread is lost at once`() {
    var state = draining()
    _ = state.reachLimit()
    #expect(lookOn(&state) == (40, "lost givenUp"))
  }

  @Test func `after the body has been given up, a job that blocks its thread is lost at once`() {
    var state = draining()
    _ = state.reachLimit()
    _ = state.reachLimit()
    #expect(lookOn(&state) == (40, "lost givenUp"))
  }

  @Test func `a job that gets no processor is not found`() {
    var state = draining()
    let runs = cvt_effort(is_waiting: false, processor_time: 5)
    #expect(lookOn(&state, effort: { _ in runs }) == (1_000, nil))
  }

  @Test func `a job that computes is found when it has used a processor for long enough`() {
    var state = draining()
    // It gets every other slice.
    let found = lookOn(
      &state, effort: { cvt_effort(is_waiting: false, processor_time: $0 / 2) })
    #expect(found == (80, "blocked 7"))
  }

  @Test func `a job on the caller's thread is lost together with that thread`() {
    for isCaller in [true, false] {
      var state = draining(by: .caller, isCaller: isCaller)
      _ = lookOn(&state)
      #expect(lookOn(&state, from: 6 * second) == (8, "lost givenUp"))
      #expect(state.baton.lost.withCaller == isCaller)
      #expect(state.baton.lost.threads == [7])
    }
  }

  @Test func `the caller's thread is lost if it waits for the baton when the scope ends`() {
    for givesUp in [true, false] {
      var state = draining(by: .caller, isCaller: true)
      #expect(state.baton.beginWait() == (.caller, true))
      _ = state.takeBaton(by: .worker, thread: 8)
      if givesUp {
        _ = lookOn(&state)
        #expect(lookOn(&state, from: 6 * second) == (8, "lost givenUp"))
        #expect(state.baton.lost.threads == [8, 7])
      } else {
        _ = state.endBody()
        #expect(state.end() != nil)
        #expect(state.baton.lost.threads == [7])
      }
      #expect(state.baton.lost.withCaller)
    }
  }

  @Test func `the caller's thread is not lost when it has the baton again`() {
    var state = draining(by: .caller, isCaller: true)
    _ = state.baton.beginWait()
    _ = state.takeBaton(by: .worker, thread: 8)
    _ = state.takeBaton(by: .caller, thread: 7, isCaller: true)
    _ = state.endBody()
    #expect(state.end() != nil)
    #expect(!state.baton.lost.withCaller)
  }

  @Test func `the main thread is not lost if it waits for the baton when the scope ends`() {
    var state = draining(by: .main, isCaller: true)
    #expect(state.baton.beginWait() == (.main, true))
    _ = state.takeBaton(by: .worker, thread: 8)
    _ = state.endBody()
    #expect(state.end() != nil)
    #expect(!state.baton.lost.withCaller)
  }

  @Test func `a job that is lost after the body has ended does not change the end of the body`() {
    var state = draining()
    _ = state.endBody()
    #expect(lookOn(&state) == (40, "blocked 7"))
    #expect(lookOn(&state, from: 6 * second) == (8, "lost completed"))
  }

  @Test func `a thread that has not taken the baton is not watched`() {
    var state = draining()
    _ = state.baton.handOver(to: nil)
    #expect(state.baton.thread == nil)
    #expect(lookOn(&state) == (1_000, nil))
  }

  @Test(arguments: [Drainer.worker, .main, .caller])
  private func `at the end a job is lost after five times the stall limit`(drainer: Drainer) {
    var state = cancelling()
    _ = state.takeBaton(by: drainer, thread: 7)
    #expect(lookOn(&state) == (40, "lost completed"))
    #expect(state.life.hasEnded)
  }
}
