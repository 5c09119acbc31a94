import Testing
import _EscapementCore

@testable import EscapementClocks

@Suite struct TestClockStateMachineTests {
  private typealias Machine = TestClockStateMachine<TestClock<Duration>.Instant>

  private func instant(_ seconds: Int) -> TestClock<Duration>.Instant {
    .init(offset: .seconds(seconds))
  }

  @Test func `each deadline is the present time when its task wakes, and time ends at the target`()
  {
    var machine = Machine(now: instant(0))
    for seconds in [3, 1, 2, 5] {
      _ = machine.arm(until: instant(seconds), taskName: nil)
    }
    for seconds in 1...3 {
      guard case .wake = machine.step(to: instant(4)) else {
        Issue.record("No task woke at \(seconds) s.")
        return
      }
      #expect(machine.now == instant(seconds))
    }
    guard case .arrive = machine.step(to: instant(4)) else {
      Issue.record("A task woke before its deadline.")
      return
    }
    #expect(machine.now == instant(4))
    #expect(machine.sleeps.firstDeadline == instant(5))
  }

  @Test func `a step by a distance tells how far it has moved time`() {
    var machine = Machine(now: instant(0))
    _ = machine.arm(until: instant(2), taskName: nil)
    guard case (.wake, .seconds(2)) = machine.step(by: .seconds(3)) else {
      Issue.record("The task did not wake.")
      return
    }
    guard case (.arrive, .seconds(1)) = machine.step(by: .seconds(1)) else {
      Issue.record("Time did not arrive.")
      return
    }
    #expect(machine.now == instant(3))
  }

  @Test func `sleeps that begin on the way wake at their deadlines`() {
    var machine = Machine(now: instant(0))
    _ = machine.arm(until: instant(1), taskName: nil)
    var wakeUps = 0
    while case .wake = machine.step(to: instant(1000)) {
      wakeUps += 1
      _ = machine.arm(until: machine.now.advanced(by: .seconds(1)), taskName: nil)
    }
    #expect(wakeUps == 1000)
    #expect(machine.now == instant(1000))
    #expect(machine.sleeps.firstDeadline == instant(1001))
  }

  @Test func `equal deadlines wake in the order of arming`() {
    var machine = Machine(now: instant(0))
    for name in ["a", "b", "c"] { _ = machine.arm(until: instant(1), taskName: name) }
    #expect(machine.sleeps.inOrder.map(\.element.taskName) == ["a", "b", "c"])
  }

  @Test func `a deadline that has been reached is not armed`() {
    var machine = Machine(now: instant(1))
    let tokens = [0, 1].map { machine.arm(until: instant($0), taskName: nil)?.token }
    #expect(tokens == [nil, nil])
    #expect(machine.armed == 0)
  }

  @Test func `a target in the past does not move time`() {
    var machine = Machine(now: instant(5))
    _ = machine.arm(until: instant(6), taskName: nil)
    guard case .arrive = machine.step(to: instant(1)) else {
      Issue.record("A task woke.")
      return
    }
    #expect(machine.now == instant(5))
  }

  @Test func `each sleep begins once and ends once`() throws {
    var machine = Machine(now: instant(0))
    let tokens = (1...3).map { machine.arm(until: instant($0), taskName: nil)?.token }
    let first = try #require(tokens[0])
    let ends = [machine.cancel(first), machine.cancel(first)]
    #expect(ends.map { $0 != nil } == [true, false])
    _ = machine.step(to: instant(2))
    let left = machine.removeAllSleeps()
    #expect(left.count == 1)
    #expect(machine.armed == 3)
    #expect(machine.ended == 3)
    #expect(machine.now == instant(2))
  }

  @Test func `the sleep that completes the number of a watcher returns the watcher`() throws {
    var machine = Machine(now: instant(0))
    let tokens = [0, 2, 3, 2].map { machine.watch(count: $0) }
    #expect(tokens.map { $0 != nil } == [false, true, true, true])
    let cancelled = machine.cancelWatcher(try #require(tokens[3]))
    #expect(cancelled != nil)
    let arrivals = (1...4).map { _ in machine.arm(until: instant(1), taskName: nil)?.watchers.count
    }
    #expect(arrivals == [0, 1, 1, 0])
    let late = machine.watch(count: 4)
    #expect(late == nil)
  }
}
