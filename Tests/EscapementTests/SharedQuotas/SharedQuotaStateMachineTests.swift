import Testing

@testable import Escapement

@Suite struct SharedQuotaStateMachineTests {
  private var machine = SharedQuotaStateMachine(maximumCalls: 2)

  @Test mutating func `calls beyond the limit are refused until one has ended`() {
    #expect(machine.begin(1, for: "a", now: 0) == .call(1))
    #expect(machine.begin(1, for: "b", now: 0) == .call(2))
    #expect(machine.begin(1, for: "c", now: 0) == .refuse)
    machine.ended(1)
    machine.ended(1)
    #expect(machine.begin(1, for: "c", now: 0) == .call(3))
    #expect(machine.begin(1, for: "c", now: 0) == .refuse)
  }

  @Test mutating func `permits that came too late go to the next caller with the same key`() {
    machine.granted(3, for: "a", now: 0, until: 10)
    #expect(machine.begin(1, for: "b", now: 0) == .call(1))
    #expect(machine.begin(4, for: "a", now: 0) == .call(2))
    #expect(machine.begin(2, for: "a", now: 9) == .useSpare)
    #expect(machine.begin(1, for: "a", now: 9) == .useSpare)
    #expect(machine.begin(1, for: "a", now: 9) == .refuse)
  }

  @Test mutating func `permits that came too late expire`() {
    machine.granted(1, for: "a", now: 0, until: 10)
    #expect(machine.begin(1, for: "a", now: 10) == .call(1))
    machine.granted(1, for: "b", now: 0, until: 10)
    machine.granted(1, for: "b", now: 10, until: 20)
    #expect(machine.begin(2, for: "b", now: 10) == .call(2))
    #expect(machine.begin(1, for: "b", now: 19) == .useSpare)
  }
}
