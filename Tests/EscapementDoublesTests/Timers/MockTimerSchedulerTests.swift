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

  // MARK: Firing

  @Test func `without a handler, timers are kept until the test fires them`() async {
    await confirmation(expectedCount: 2) { fired in
      scheduler.add(Timer(after: 10) { _ in fired() }, forMode: .default)
      scheduler.add(Timer(after: 5) { _ in fired() }, forMode: .default)
      scheduler.fire()
    }
  }

  @Test func `timers fire in the order of adding, and those that are added meanwhile do not`() {
    let log = Log<String>()
    nonisolated(unsafe) let scheduler = scheduler
    scheduler.add(
      Timer(after: 10) { _ in
        log.append("first")
        scheduler.add(Timer(after: 1) { _ in log.append("added") }, forMode: .default)
      }, forMode: .default)
    scheduler.add(
      Timer(after: 1, repeats: true) { _ in log.append("second") }, forMode: .default)
    scheduler.fire()
    #expect(log.entries == ["first", "second"])
    scheduler.fire()
    #expect(log.entries == ["first", "second", "second", "added"])
  }

  @Test func `a timer that another one invalidates does not fire`() {
    let log = Log<String>()
    nonisolated(unsafe) let second = Timer(after: 1) { _ in log.append("second") }
    scheduler.add(
      Timer(after: 1) { _ in
        log.append("first")
        second.invalidate()
      }, forMode: .default)
    scheduler.add(second, forMode: .default)
    scheduler.fire()
    #expect(log.entries == ["first"])
  }

  @Test func `to fire without a valid timer fails the test at the line of the call`() {
    scheduler.add(Timer(after: 10) { _ in }, forMode: .default)
    scheduler.fire()
    var line = 0
    let issues = issues {
      line = #line + 1
      scheduler.fire()
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("(timers that were added: 1)") == true)
  }

  // MARK: Timers that have lost their delay

  #if os(Linux)
    @Test(.virtualStandardClocks, .virtualTime, arguments: [true, false])
    func `a timer that has lost its delay causes a warning that names Timer(after:)`(
      repeats: Bool
    ) {
      let line = #line + 1
      let scheduler = MockTimerScheduler()
      let issues = issues {
        scheduler.add(
          Timer(timeInterval: 10, repeats: repeats) { _ in }, forMode: .default)
      }
      #expect(issues.map(\.line) == [line])
      #expect(issues.map(\.isWarning) == [true])
      #expect(issues.first?.message.contains("'Timer(after:repeats:block:)'") == true)
      #expect(scheduler.timers.count == 1)
    }

    @Test(.virtualStandardClocks, .virtualTime) func `other dates cause no warning`() {
      let dates = [Date() + 1e-6, Date() - 1.000001, .distantPast]
      let issues = issues {
        for date in dates {
          scheduler.add(Timer(fire: date, interval: 0, repeats: false) { _ in }, forMode: .default)
        }
      }
      #expect(issues.isEmpty)
    }
  #endif
}
