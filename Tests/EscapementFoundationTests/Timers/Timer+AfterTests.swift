import EscapementFoundation
import EscapementTesting
import Foundation
import TestSupport
import Testing

@Suite struct TimerAfterTests {
  @Test(.virtualStandardClocks, .virtualTime)
  func `the first date of a timer is one delay after now`() {
    let timer = Timer(after: 10) { _ in }
    #expect(timer.isValid)
    #expect(timer.fireDate == Date() + 10)
    #expect(timer.timeInterval == 0)
  }

  @Test(.virtualStandardClocks, .virtualTime)
  func `the interval of a repeating timer is the delay`() {
    let timer = Timer(after: 10, repeats: true) { _ in }
    #expect(timer.fireDate == Date() + 10)
    #expect(timer.timeInterval == 10)
  }

  @Test(arguments: [TimeInterval.nan, .infinity, -.infinity, -1])
  func `an invalid delay fails the test at the line of the call`(
    delay: TimeInterval
  ) throws {
    var timer: Timer?
    let line = #line + 1
    let issues = issues { timer = Timer(after: delay) { _ in } }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("'timeInterval' is \(delay)") == true)
    #expect(timer?.isValid == false)
  }

  @Test func `a delay of zero is refused only for a repeating timer`() {
    #expect(issues { _ = Timer(after: 0, repeats: true) { _ in } }.count == 1)
    #expect(Timer(after: 0) { _ in }.isValid)
  }
}
