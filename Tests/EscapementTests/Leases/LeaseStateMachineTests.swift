import Testing

@testable import Escapement

@Suite struct LeaseStateMachineTests {
  private var machine = LeaseStateMachine(duration: 90, retryInterval: 10, now: 0)

  private mutating func hold() {
    _ = machine.next(now: 0)
    machine.received(.granted(token: 7), now: 20)
  }

  @Test mutating func `the duration counts from the request, not from the reply`() {
    #expect(machine.next(now: 0) == .acquire(waitingUntil: 90))
    #expect(machine.next(now: 0) == .awaitReply(until: 90))
    machine.received(.granted(token: 7), now: 20)
    #expect(machine.token(at: 89) == 7)
    #expect(machine.token(at: 90) == nil)
    #expect(machine.next(now: 90) == .lost)
  }

  @Test mutating func `the lease is renewed after a third of its duration`() {
    hold()
    #expect(machine.next(now: 20) == .wait(until: 30))
    #expect(machine.next(now: 29) == .wait(until: 30))
    #expect(machine.next(now: 30) == .renew(waitingUntil: 90))
    machine.received(.granted(token: 7), now: 40)
    #expect(machine.token(at: 119) == 7)
    #expect(machine.token(at: 120) == nil)
    #expect(machine.next(now: 40) == .wait(until: 60))
  }

  @Test mutating func `a renewal that fails is repeated until the lease ends`() {
    hold()
    #expect(machine.next(now: 30) == .renew(waitingUntil: 90))
    machine.failed(now: 85)
    #expect(machine.next(now: 85) == .wait(until: 90))
    #expect(machine.next(now: 90) == .lost)
    machine.received(.granted(token: 7), now: 91)
    #expect(machine.next(now: 91) == .lost)
  }

  @Test mutating func `a renewal that is refused loses the lease`() {
    hold()
    _ = machine.next(now: 30)
    machine.received(.refused(token: 8, freeAfter: 1), now: 31)
    #expect(machine.token(at: 31) == nil)
    #expect(machine.next(now: 31) == .lost)
  }

  @Test mutating func `a replica that waits asks at each interval, or when the lease is free`() {
    _ = machine.next(now: 0)
    machine.received(.refused(token: 1, freeAfter: 1_000), now: 5)
    #expect(machine.next(now: 14) == .wait(until: 15))
    #expect(machine.next(now: 15) == .acquire(waitingUntil: 105))
    machine.failed(now: 20)
    #expect(machine.next(now: 20) == .wait(until: 30))
    #expect(machine.next(now: 30) == .acquire(waitingUntil: 120))
    machine.received(.refused(token: 1, freeAfter: 0), now: 31)
    #expect(machine.next(now: 31) == .wait(until: 32))
  }

  @Test mutating func `a run that is done ends the wait`() {
    _ = machine.next(now: 0)
    machine.received(.done(token: 1), now: 1)
    #expect(machine.next(now: 2) == .done)
    #expect(machine.token(at: 2) == nil)
  }
}
