import Escapement
import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@MainActor @Suite(.virtualTime) struct TimerTaskLauncherTests {
  @Test func `it launches at whole intervals until it is stopped`() async throws {
    let launcher = TimerTaskLauncher(scheduler: VirtualTimerScheduler())
    let start = ContinuousClock.now
    var ticks: [Duration] = []
    launcher.every(.seconds(60)) { ticks.append(start.duration(to: .now)) }
    launcher.start()
    launcher.start()
    try await Task.sleep(for: .seconds(181))
    #expect(ticks == [.seconds(60), .seconds(120), .seconds(180)])
    #expect(launcher.isActive)
    launcher.stop()
    launcher.stop()
    #expect(!launcher.isActive)
    try await Task.sleep(for: .seconds(600))
    #expect(ticks.count == 3)
  }

  @Test func `it asks for a repeating timer in the given mode`() {
    let scheduler = MockTimerScheduler()
    let launcher = TimerTaskLauncher(scheduler: scheduler, mode: .default)
    launcher.start()
    #expect(scheduler.timers == [])
    launcher.every(.milliseconds(1500)) {}
    launcher.start()
    #expect(scheduler.timers.map(\.timeInterval) == [1.5])
    #expect(scheduler.timers.map(scheduler.modes) == [[.default]])
    launcher.stop()
    #expect(scheduler.lastTimer?.isValid == false)
  }

  @Test func `a tick while a run is under way is skipped`() async throws {
    let launcher = TimerTaskLauncher(scheduler: VirtualTimerScheduler())
    var runs = 0
    launcher.every(.seconds(1)) {
      runs += 1
      try? await Task.sleep(for: .milliseconds(1500))
    }
    launcher.start()
    try await Task.sleep(for: .milliseconds(6700))
    // At 1, 3 and 5 seconds.
    #expect(runs == 3)
    launcher.stop()
  }

  @Test func `an active launcher goes on with a new task, counted from now`() async throws {
    let launcher = TimerTaskLauncher(scheduler: VirtualTimerScheduler())
    var runs: [String] = []
    launcher.every(.seconds(10)) { runs.append("old") }
    launcher.start()
    try await Task.sleep(for: .seconds(9))
    launcher.every(.seconds(2)) { runs.append("new") }
    try await Task.sleep(for: .milliseconds(2001))
    #expect(runs == ["new"])
  }

  @Test func `a launcher that is released stops`() async throws {
    let scheduler = MockTimerScheduler()
    var launcher: TimerTaskLauncher? = TimerTaskLauncher(scheduler: scheduler)
    launcher?.every(.seconds(1)) {}
    launcher?.start()
    launcher = nil
    #expect(scheduler.lastTimer?.isValid == false)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `an interval that is not positive is a failed test where the launcher was created`(
    interval: Duration
  ) {
    let line = #line + 1
    let launcher = TimerTaskLauncher(scheduler: MockTimerScheduler())
    let issues = issues { launcher.every(interval) {} }
    #expect(issues.map(\.line) == [line])
    launcher.start()
    #expect(!launcher.isActive)
  }
}
