import EscapementFoundation
import EscapementTesting
import Foundation
import TestSupport
import Testing

@Suite struct TimerAfterTests {
  @Test(.virtualTime) func `its first date is the delay ahead`() {
    let timer = Timer(after: 10) { _ in }
    #expect(timer.isValid)
    #expect(timer.fireDate == Date() + 10)
    #expect(timer.timeInterval == 0)
  }

  @Test(.virtualTime) func `a repeating one has the delay as its interval`() {
    let timer = Timer(after: 10, repeats: true) { _ in }
    #expect(timer.fireDate == Date() + 10)
    #expect(timer.timeInterval == 10)
  }

  @Test(arguments: [TimeInterval.nan, .infinity, -.infinity, -1])
  func `a delay that nobody can wait for is a failed test at the line`(
    delay: TimeInterval
  ) throws {
    var timer: Timer?
    let line = #line + 1
    let issues = issues { timer = Timer(after: delay) { _ in } }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("'timeInterval' is \(delay)") == true)
    #expect(timer?.isValid == false)
  }

  @Test func `a repeating timer without an interval is refused, a single one is not`() {
    #expect(issues { _ = Timer(after: 0, repeats: true) { _ in } }.count == 1)
    #expect(Timer(after: 0) { _ in }.isValid)
  }
}
