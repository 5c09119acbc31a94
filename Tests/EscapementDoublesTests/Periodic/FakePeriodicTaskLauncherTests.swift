import Escapement
import EscapementDoubles
import EscapementTesting
import TestSupport
import Testing

@MainActor @Suite struct FakePeriodicTaskLauncherTests {
  let launcher = FakePeriodicTaskLauncher()

  @Test func `it launches only when it is fired`() async {
    var runs = 0
    launcher.every(.seconds(1)) { runs += 1 }
    launcher.start()
    #expect(runs == 0)
    await launcher.fire()
    await launcher.fire()
    #expect(runs == 2)
  }

  @Test func `it records what it was asked`() {
    launcher.every(.seconds(1)) {}
    launcher.every(.seconds(2)) {}
    launcher.start()
    launcher.start()
    launcher.stop()
    #expect(launcher.intervals == [.seconds(1), .seconds(2)])
    #expect(launcher.startCount == 2)
    #expect(launcher.stopCount == 1)
  }

  @Test func `like every launcher it does not start without a task`() {
    launcher.start()
    #expect(!launcher.isActive)
    #expect(launcher.startCount == 1)
  }

  @Test func `it is active between start and stop`() {
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

  @Test func `firing one that is not active is reported`() async {
    launcher.every(.seconds(1)) { Issue.record("launched") }
    let issues = await issues { await launcher.fire() }
    #expect(issues.map { $0.message.contains("fired that is not active") } == [true])
  }
}
