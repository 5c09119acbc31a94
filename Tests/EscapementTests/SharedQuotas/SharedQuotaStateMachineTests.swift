import Testing

@testable import Escapement

@Suite struct SharedQuotaStateMachineTests {
  private final class Watch {}

  private var machine = SharedQuotaStateMachine<String, Watch>(maximumCalls: 2, timeout: 10)

  private mutating func begin(
    _ permits: Int, for key: String, at now: Int64
  ) -> SharedQuotaStateMachine<String, Watch>.Start {
    machine.begin(permits, for: key, "\(key) at \(now)", now: now)
  }

  private mutating func overdue(at now: Int64) -> SharedQuotaStateMachine<String, Watch>.Overdue {
    let watch = Watch()
    _ = machine.begins(watch, endsWhenIdle: false)
    defer { machine.cancelled(watch) }
    return machine.overdue(now: now, by: watch)
  }

  @Test mutating func `calls beyond the limit are refused until one has ended`() {
    #expect(begin(1, for: "a", at: 0) == .call(1))
    #expect(begin(1, for: "b", at: 0) == .call(2))
    #expect(begin(1, for: "c", at: 0) == .refuse)
    _ = machine.ended(1)
    _ = machine.ended(1)
    #expect(begin(1, for: "c", at: 0) == .call(3))
    #expect(begin(1, for: "c", at: 0) == .refuse)
  }

  @Test mutating func `permits that came too late go to the next caller with the same key`() {
    machine.granted(3, for: "a", now: 0)
    #expect(begin(1, for: "b", at: 0) == .call(1))
    #expect(begin(4, for: "a", at: 0) == .call(2))
    #expect(begin(2, for: "a", at: 9) == .useSpare)
    #expect(begin(1, for: "a", at: 9) == .useSpare)
    #expect(begin(1, for: "a", at: 9) == .refuse)
  }

  @Test mutating func `permits that came too late expire after the timeout`() {
    machine.granted(1, for: "a", now: 0)
    #expect(begin(1, for: "a", at: 10) == .call(1))
  }

  @Test mutating func `a call times out, and is given up after ten times that time`() {
    _ = begin(1, for: "a", at: 0)
    _ = begin(1, for: "b", at: 4)
    #expect(overdue(at: 9).next == 10)
    var result = overdue(at: 10)
    #expect(result.timedOut == ["a at 0"])
    #expect(result.givenUp == [])
    #expect(result.next == 14)
    result = overdue(at: 14)
    #expect(result.timedOut == ["b at 4"])
    #expect(result.next == 100)
    // It counts until then.
    #expect(begin(1, for: "c", at: 99) == .refuse)
    result = overdue(at: 100)
    #expect(result.timedOut == [])
    #expect(result.givenUp == ["a at 0"])
    #expect(begin(1, for: "c", at: 100) == .call(3))
    #expect(overdue(at: 104).givenUp == ["b at 4"])
  }

  @Test mutating func `a call that has ended does not time out`() {
    _ = begin(1, for: "a", at: 0)
    _ = begin(1, for: "b", at: 0)
    _ = machine.ended(1)
    let result = overdue(at: 10)
    #expect(result.timedOut == ["b at 0"])
    _ = machine.ended(2)
    #expect(overdue(at: 100).givenUp == [])
  }

  @Test mutating func `one watch serves the calls, until it finds none`() {
    let (first, second) = (Watch(), Watch())
    #expect(machine.begins(first, endsWhenIdle: false) == false)
    _ = begin(1, for: "a", at: 0)
    #expect(machine.begins(first, endsWhenIdle: false) == true)
    _ = begin(1, for: "b", at: 1)
    #expect(machine.begins(second, endsWhenIdle: false) == false)
    #expect(machine.ended(1) == nil)
    #expect(machine.overdue(now: 10, by: first).next == 11)
    #expect(machine.ended(2) == nil)
    #expect(machine.overdue(now: 11, by: first).next == nil)
    _ = begin(1, for: "c", at: 12)
    #expect(machine.begins(second, endsWhenIdle: false) == true)
    // The first one was cancelled, and says so late.
    machine.cancelled(first)
    #expect(machine.overdue(now: 22, by: first).timedOut == [])
    #expect(machine.begins(first, endsWhenIdle: false) == false)
    machine.cancelled(second)
    #expect(machine.begins(first, endsWhenIdle: false) == true)
  }

  @Test mutating func `a watch that ends when it is idle ends with the last call`() {
    let watch = Watch()
    _ = begin(1, for: "a", at: 0)
    _ = begin(1, for: "b", at: 0)
    #expect(machine.begins(watch, endsWhenIdle: true) == true)
    #expect(machine.ended(1) == nil)
    #expect(machine.ended(2) === watch)
    #expect(machine.overdue(now: 10, by: watch).next == nil)
  }
}
