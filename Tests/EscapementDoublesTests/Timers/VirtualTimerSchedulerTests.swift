import Escapement
import EscapementClocks
import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// Covers `Alarm` and `AnyClock.ofScope` as well.
@Suite(.virtualTime(.init(leftovers: .fail))) struct VirtualTimerSchedulerTests {
  let log = Log<String>()

  @Test(.virtualStandardClocks)
  func `a timer fires at its date, and not a nanosecond before`() async throws {
    let time = try #require(VirtualTime.current)
    let scheduler = VirtualTimerScheduler()
    scheduler.add(Timer(after: 10) { [log] _ in log.note("fired") }, forMode: .default)
    await time.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(log.entries == [])
    await time.advance(by: .nanoseconds(1))
    #expect(log.entries == ["10000.0 fired"])
    #expect(scheduler.timers == [])
    await time.advance(by: .seconds(100))
    #expect(log.entries.count == 1)
  }

  @Test(.virtualStandardClocks)
  func `a repeating timer fires at whole intervals until it is invalidated`() async throws {
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(after: 0.1, repeats: true) { [log] _ in log.note("tick") }
    scheduler.add(timer, forMode: .common)
    try await Task.sleep(for: .milliseconds(350))
    #expect(log.entries == ["100.0 tick", "200.0 tick", "300.0 tick"])
    timer.invalidate()
    try await Task.sleep(for: .seconds(1))
    #expect(log.entries.count == 3)
    #expect(scheduler.timers == [])
  }

  @Test(.virtualStandardClocks)
  func `a timer with a date and an interval fires at the date, and then at the interval`()
    async throws
  {
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(fire: Date() + 1, interval: 5, repeats: true) { [log] _ in log.note("tick") }
    scheduler.add(timer, forMode: .common)
    try await Task.sleep(for: .milliseconds(11_001))
    #expect(log.entries == ["1000.0 tick", "6000.0 tick", "11000.0 tick"])
    timer.invalidate()
    try await Task.sleep(for: .seconds(5))
  }

  @Test(.virtualStandardClocks)
  func `a date that has passed fires at once, but not inside the call`() async throws {
    let time = try #require(VirtualTime.current)
    let scheduler = VirtualTimerScheduler()
    scheduler.add(
      Timer(fire: .distantPast, interval: 0, repeats: false) { [log] _ in log.note("fired") },
      forMode: .common)
    #expect(log.entries == [])
    await time.settle()
    #expect(log.entries == ["0.0 fired"])
  }

  #if os(Linux)
    @Test(.virtualStandardClocks)
    func `a timer that has lost its delay causes a warning, and fires at once`() async throws {
      let scheduler = VirtualTimerScheduler()
      let issues = issues {
        scheduler.add(
          Timer(timeInterval: 10, repeats: false) { [log] _ in log.note("fired") },
          forMode: .common)
      }
      #expect(issues.map(\.isWarning) == [true])
      await VirtualTime.current?.settle()
      #expect(log.entries == ["0.0 fired"])
    }
  #endif

  @MainActor @Test(.virtualStandardClocks)
  func `a timer that is added on the main actor does not fire inside the call`()
    async throws
  {
    let scheduler = VirtualTimerScheduler()
    scheduler.add(
      Timer(fire: .distantPast, interval: 0, repeats: false) { [log] _ in
        MainActor.assumeIsolated { log.note("fired") }
      }, forMode: .common)
    #expect(log.entries == [])
    await VirtualTime.current?.settle()
    #expect(log.entries == ["0.0 fired"])
  }

  @Test(.virtualStandardClocks) func `a block may invalidate its timer and add the next`()
    async throws
  {
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(after: 1, repeats: true) { [log] timer in
      log.note("first")
      timer.invalidate()
      scheduler.add(Timer(after: 2) { _ in log.note("second") }, forMode: .default)
    }
    scheduler.add(timer, forMode: .default)
    try await Task.sleep(for: .seconds(10))
    #expect(log.entries == ["1000.0 first", "3000.0 second"])
  }

  @Test(.virtualStandardClocks, .plainOrder)
  func `equal dates fire in the order in which they were added`()
    async throws
  {
    let scheduler = VirtualTimerScheduler()
    for number in 1...5 {
      scheduler.add(Timer(after: 1) { [log] _ in log.note("\(number)") }, forMode: .default)
    }
    try await Task.sleep(for: .seconds(1))
    #expect(log.entries == (1...5).map { "1000.0 \($0)" })
  }

  @Test(.virtualStandardClocks) func `a timer added for two modes fires once`() async throws {
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(after: 1) { [log] _ in log.note("fired") }
    scheduler.add(timer, forMode: .default)
    scheduler.add(timer, forMode: .common)
    try await Task.sleep(for: .seconds(2))
    #expect(log.entries == ["1000.0 fired"])
  }

  @Test(.virtualStandardClocks) func `a scheduler that is released drops its timers`() async throws
  {
    var scheduler: VirtualTimerScheduler? = VirtualTimerScheduler()
    scheduler?.add(Timer(after: 1) { [log] _ in log.note("fired") }, forMode: .default)
    scheduler = nil
    try await Task.sleep(for: .seconds(2))
    #expect(log.entries == [])
  }

  @Test func `a scheduler that is released with the body leaves no tasks`() {
    let scheduler = VirtualTimerScheduler()
    scheduler.add(Timer(after: 1, repeats: true) { _ in }, forMode: .default)
  }

  // MARK: - Refusals

  @Test(.virtualStandardClocks) func `a timer that is added twice fails the test`() async throws {
    let line = #line + 1
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(after: 1) { [log] _ in log.note("fired") }
    scheduler.add(timer, forMode: .default)
    let issues = issues { scheduler.add(timer, forMode: .default) }
    #expect(issues.map(\.line) == [line])
    try await Task.sleep(for: .seconds(2))
    #expect(log.entries == ["1000.0 fired"])
  }

  @Test func `an invalid timer that is added fails the test`() {
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(after: 1) { _ in }
    timer.invalidate()
    #expect(issues { scheduler.add(timer, forMode: .default) }.count == 1)
    #expect(scheduler.timers == [])
  }

  @Test func `a timer without a finite interval fails the test`() {
    let scheduler = VirtualTimerScheduler()
    let timer = Timer(fire: Date(), interval: .infinity, repeats: true) { _ in }
    let issues = issues { scheduler.add(timer, forMode: .default) }
    #expect(issues.first?.message.contains("interval is inf s") == true)
    #expect(scheduler.timers == [])
  }

  @Test func `a resolution that is not positive fails the test`() {
    let issues = issues { _ = VirtualTimerScheduler(clock: TestClock(), resolution: .zero) }
    #expect(issues.first?.message.contains("'resolution' is 0") == true)
  }
}

@Suite struct VirtualTimerSchedulerOutsideScopesTests {
  @Test func `the clock gets the tolerance of a timer`() async throws {
    let clock = RecordingClock()
    let scheduler = VirtualTimerScheduler(clock: clock)
    withMockTimers { _ in
      let timer = MockTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in }
      timer.tolerance = 0.2
      scheduler.add(timer, forMode: .common)
    }
    #expect(clock.tolerances == [.milliseconds(200)])
  }

  @Test func `a scheduler waits with any clock`() async throws {
    let clock = TestClock()
    let log = Log<String>()
    let scheduler = VirtualTimerScheduler(clock: clock, resolution: .seconds(1))
    scheduler.add(Timer(after: 10) { _ in log.note("fired") }, forMode: .common)
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(log.entries == [])
    await clock.advance(by: .nanoseconds(1))
    #expect(log.entries == ["fired"])
  }

  @Test func `a scheduler without a clock and a scope fails the test`() {
    let line = #line + 1
    let issues = issues { _ = VirtualTimerScheduler() }
    #expect(issues.map(\.line) == [line])
  }

  @Test func `a timer that is added after the end of the scope fails the test`() async throws {
    let line = #line + 1
    let scheduler = try await withVirtualTime { VirtualTimerScheduler(clock: $0) }
    let issues = issues { scheduler.add(Timer(after: 1) { _ in }, forMode: .common) }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("after the end") == true)
    #expect(scheduler.timers == [])
  }
}
