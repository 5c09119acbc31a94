import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import TestSupport
import Testing

@Suite struct MockTimerSchedulerTests {
  let scheduler = MockTimerScheduler()

  @Test(.virtualStandardClocks, .virtualTime)
  func `the handler gets the timer, whose delay is exact in virtual time`() {
    var delays: [TimeInterval] = []
    scheduler.handleAddTimer = { delays.append($0.fireDate.timeIntervalSinceNow) }
    scheduler.add(Timer(after: 10) { _ in }, forMode: .default)
    #expect(delays == [10])
  }

  @Test func `the handler may fire the timer at once`() async {
    await confirmation { fired in
      scheduler.handleAddTimer = { $0.fire() }
      scheduler.add(Timer(after: 10) { _ in fired() }, forMode: .default)
    }
  }

  @Test func `timers and modes are recorded`() {
    let (first, second) = (Timer(after: 1) { _ in }, Timer(after: 2) { _ in })
    scheduler.add(first, forMode: .default)
    scheduler.add(second, forMode: .common)
    scheduler.add(first, forMode: .common)
    #expect(scheduler.timers == [first, second])
    #expect(scheduler.lastTimer == second)
    #expect(scheduler.modes(of: first) == [.default, .common])
  }

  @Test func `a timer that is added twice fails the test at the line that created the scheduler`() {
    let line = #line + 1
    let scheduler = MockTimerScheduler()
    let timer = Timer(after: 1) { _ in }
    var handled = 0
    scheduler.handleAddTimer = { _ in handled += 1 }
    scheduler.add(timer, forMode: .common)
    let issues = issues { scheduler.add(timer, forMode: .common) }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("a second time") == true)
    #expect(handled == 1)
  }

  @Test func `an invalid timer that is added fails the test`() {
    let timer = Timer(after: 1) { _ in }
    timer.invalidate()
    let issues = issues { scheduler.add(timer, forMode: .common) }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("invalid") == true)
    #expect(scheduler.timers == [])
  }
}
