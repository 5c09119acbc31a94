import EscapementDoubles
import EscapementTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// The class of the memo: it schedules its timer with the class it is given.
private final class TimerManager: Sendable {
  private let timerProvider: Timer.Type
  private let refreshes = Atomic(0)

  init(timerProvider: Timer.Type = Timer.self) { self.timerProvider = timerProvider }

  var refreshCount: Int { refreshes.load(ordering: .relaxed) }

  func start(every interval: TimeInterval, repeats: Bool = true) -> Timer {
    timerProvider.scheduledTimer(withTimeInterval: interval, repeats: repeats) { [self] _ in
      refreshes.add(1, ordering: .relaxed)
    }
  }
}

/// Covers `MockTimers` as well.
@Suite struct MockTimerTests {
  private let manager = TimerManager(timerProvider: MockTimer.self)

  @Test func `a timer records how it was scheduled`() throws {
    try withMockTimers { timers in
      let started = manager.start(every: 10)
      started.tolerance = 2
      let timer = try #require(timers.last)
      #expect(timers.count == 1)
      #expect(timer === started)
      #expect(timer.timeInterval == 10)
      #expect(timer.repeats)
      #expect(timer.tolerance == 2)
      #expect(timer.isValid)
    }
  }

  @Test(.virtualStandardClocks, .virtualTime) func `the date of a timer is one interval ahead`() {
    withMockTimers { _ in
      #expect(manager.start(every: 10).fireDate == Date() + 10)
    }
  }

  @Test func `a timer fires only when the test fires it`() {
    withMockTimers { timers in
      _ = manager.start(every: 10)
      #expect(manager.refreshCount == 0)
      timers.last?.fire()
      timers.last?.fire()
      #expect(manager.refreshCount == 2)
      #expect(timers.last?.fireCount == 2)
    }
  }

  @Test func `a timer that does not repeat fires once, and is valid until its block has run`() {
    withMockTimers { timers in
      let timer = MockTimer.scheduledTimer(withTimeInterval: 1, repeats: false) {
        #expect($0.isValid)
      }
      timer.fire()
      timer.fire()
      #expect(timers.last?.fireCount == 1)
      #expect(!timer.isValid)
      #expect(timers.last?.invalidateCount == 0)
    }
  }

  @Test func `an invalidated timer does not fire`() {
    withMockTimers { timers in
      let timer = manager.start(every: 10)
      timer.invalidate()
      timer.invalidate()
      timer.fire()
      #expect(manager.refreshCount == 0)
      #expect(timers.last?.invalidateCount == 2)
    }
  }

  @Test func `a block may invalidate its timer`() {
    withMockTimers { timers in
      let timer = MockTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { $0.invalidate() }
      timer.fire()
      timer.fire()
      #expect(timers.last?.fireCount == 1)
    }
  }

  @Test(arguments: 0..<200)
  func `tests that run at the same time do not see each other's timers`(number: Int) async {
    await withMockTimers { timers in
      for count in 1...5 {
        _ = manager.start(every: TimeInterval(number + 1))
        await Task.yield()
        #expect(timers.count == count)
      }
      timers.all.forEach { $0.fire() }
      #expect(manager.refreshCount == 5)
      #expect(timers.all.allSatisfy { $0.timeInterval == TimeInterval(number + 1) })
    }
  }

  @Test func `timers of tasks that the body starts are recorded`() async {
    await withMockTimers { timers in
      await Task { _ = manager.start(every: 1) }.value
      async let child: Void = { _ = manager.start(every: 2) }()
      await child
      #expect(timers.all.map(\.timeInterval) == [1, 2])
    }
  }

  @Test(arguments: [TimeInterval.nan, .infinity, -.infinity, -1, 0])
  func `an invalid interval fails the test`(interval: TimeInterval) throws {
    let line = #line + 2
    let issues = issues {
      withMockTimers { timers in
        let timer = manager.start(every: interval)
        timer.fire()
        #expect(!timer.isValid)
        #expect(manager.refreshCount == 0)
        #expect(timers.count == 1)
      }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("'timeInterval' is \(interval)") == true)
  }

  @Test func `scheduling outside withMockTimers fails the test`() {
    let issues = issues {
      let timer = manager.start(every: 10)
      #expect(!timer.isValid)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("outside 'withMockTimers'") == true)
  }

  @Test func `firing after the end of withMockTimers fails the test`() {
    var kept: Timer?
    let line = #line + 1
    withMockTimers { _ in kept = manager.start(every: 10) }
    let issues = issues { kept?.fire() }
    #expect(issues.map(\.line) == [line])
    #expect(manager.refreshCount == 0)
  }
}
