import EscapementClocks
import Testing

@testable import EscapementDoubles

@Suite struct VirtualTimerStateMachineTests {
  typealias Instant = TestClock<Duration>.Instant

  private func at(_ seconds: Int) -> Instant { Instant(offset: .seconds(seconds)) }

  @Test func `a timer that does not repeat has one deadline`() {
    var state = VirtualTimerStateMachine(first: at(3), interval: nil)
    #expect(state.deadline == at(3))
    state.fired(at: at(3), isValid: true)
    #expect(state.deadline == nil)
    state.fired(at: at(4), isValid: true)
    #expect(state.deadline == nil)
  }

  @Test(arguments: 0...7, [1, 2, 3])
  func `deadlines are whole intervals after the first, and later than the firing`(
    late: Int, interval: Int
  ) throws {
    var state = VirtualTimerStateMachine(first: at(3), interval: .seconds(interval))
    #expect(state.deadline == at(3))
    state.fired(at: at(3 + late), isValid: true)
    let next = try #require(state.deadline)
    #expect(next > at(3 + late))
    #expect(next <= at(3 + late + interval))
    #expect(at(3).duration(to: next) == .seconds(interval) * (late / interval + 1))
  }

  @Test func `an invalid timer has no deadline`() {
    var state = VirtualTimerStateMachine(first: at(3), interval: .seconds(1))
    state.fired(at: at(3), isValid: false)
    #expect(state.deadline == nil)
  }
}
