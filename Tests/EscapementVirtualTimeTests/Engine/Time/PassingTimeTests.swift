import CVirtualTime
import Testing

@testable import EscapementVirtualTime

/// A thread that has the baton waits busily, and lets time pass itself.
@Suite struct PassingTimeTests {
  private func state(
    _ mode: VirtualTimeOptions.Mode = .automatic, eventLimit: Int = 100
  ) -> ScopeState {
    var state = ScopeState(options: VirtualTimeOptions(mode: mode, eventLimit: eventLimit))
    #expect(state.startDraining() == true)
    return state
  }

  @Test func `time passes if nothing else can happen`() {
    var state = state()
    state.arm(1, until: 11)
    #expect(state.passTime(to: 10, isUnderway: false) == true)
    #expect(state.time.now == 10)
  }

  @Test(arguments: [9, 10] as [Nanoseconds])
  func `it does not pass a deadline`(_ deadline: Nanoseconds) {
    var state = state()
    state.arm(1, until: deadline)
    #expect(state.passTime(to: 10, isUnderway: false) == false)
    #expect(state.time.now == 0)
  }

  @Test func `it stands while something is ready, held or under way`() {
    var ready = state()
    _ = ready.add(.standIn(1))
    #expect(ready.passTime(to: 10, isUnderway: false) == false)
    var held = state()
    held.openHold()
    #expect(held.passTime(to: 10, isUnderway: false) == false)
    var underway = state()
    #expect(underway.passTime(to: 10, isUnderway: true) == false)
  }

  @Test func `it stands if code moves it, and when the body has ended`() {
    var manual = state(.manual)
    #expect(manual.passTime(to: 10, isUnderway: false) == false)
    var driven = state()
    _ = driven.add(.standIn(1, .advance(to: 5)))
    #expect(driven.passTime(to: 10, isUnderway: false) == false)
    var ended = state()
    _ = ended.endBody()
    #expect(ended.passTime(to: 10, isUnderway: false) == false)
  }

  @Test func `it stands for external sources, which are asked before`() {
    var state = state()
    state.time.externalSources.add(ExternalSource {})
    #expect(state.passTime(to: 10, isUnderway: false) == false)
  }

  @Test func `each step is an event`() {
    var state = state(eventLimit: 2)
    #expect(state.passTime(to: 1, isUnderway: false) == true)
    #expect(state.passTime(to: 2, isUnderway: false) == true)
    #expect(state.passTime(to: 3, isUnderway: false) == false)
  }
}
