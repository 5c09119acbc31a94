import Escapement
import EscapementDoubles
import EscapementTesting
import TestSupport
import Testing

@MainActor @Suite struct FakePeriodicTaskLauncherTests {
  let launcher = FakePeriodicTaskLauncher()

  @Test func `the task runs only when the launcher is fired`() async {
    var runs = 0
    launcher.every(.seconds(1)) { runs += 1 }
    launcher.start()
    #expect(runs == 0)
    await launcher.fire()
    await launcher.fire()
    #expect(runs == 2)
  }

  @Test func `intervals, starts and stops are recorded`() {
    launcher.every(.seconds(1)) {}
    launcher.every(.seconds(2)) {}
    launcher.start()
    launcher.start()
    launcher.stop()
    #expect(launcher.intervals == [.seconds(1), .seconds(2)])
    #expect(launcher.startCount == 2)
    #expect(launcher.stopCount == 1)
  }

  @Test func `a launcher without a task does not start`() {
    launcher.start()
    #expect(!launcher.isActive)
    #expect(launcher.startCount == 1)
  }

  @Test func `a launcher is active between start and stop`() {
    launcher.every(.seconds(1)) {}
    #expect(!launcher.isActive)
    launcher.start()
    #expect(launcher.isActive)
    launcher.stop()
    #expect(!launcher.isActive)
  }

  @Test func `two fakes do not share anything`() {
    let other = FakePeriodicTaskLauncher()
    other.every(.seconds(1)) {}
    other.start()
    #expect(launcher.startCount == 0)
    #expect(launcher.intervals.isEmpty)
  }

  @Test func `firing a launcher that is not active fails the test`() async {
    launcher.every(.seconds(1)) { Issue.record("launched") }
    let issues = await issues { await launcher.fire() }
    #expect(issues.map { $0.message.contains("was fired although it is not active") } == [true])
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `an interval that is not positive is reported and changes nothing`(interval: Duration) {
    let launcher = FakePeriodicTaskLauncher()
    let issues = issues { launcher.every(interval) {} }
    let refusal = "'interval' is \(interval), but must be positive"
    #expect(issues.map { $0.message.contains(refusal) } == [true])
    #expect(launcher.intervals == [])
    launcher.start()
    #expect(!launcher.isActive)
  }

  @Test func `a task with a schedule gets the instant with which it is fired`() async throws {
    let launcher = FakePeriodicTaskLauncher()
    let schedule = try Schedule.daily(at: "03:30", in: .utc)
    let runs = Log<WallClock.Instant>()
    launcher.on(schedule) { runs.append($0) }
    launcher.start()
    let run = try #require(schedule.next(after: .unixEpoch))
    await launcher.fire(run)
    #expect(runs.entries == [run])
    #expect(launcher.schedules.map(\.description) == ["daily at 03:30"])
    #expect(launcher.intervals == [])
  }
}
