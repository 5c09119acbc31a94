import TestSupport
import Testing

@testable import Escapement

@Suite struct ActionTests {
  @Test func `an action without an actor runs before start returns`() async {
    let events = Recorder<String>()
    Action { events("action") }.start(from: nil) { events("completion") }
    #expect(events.values == ["action", "completion"])
  }

  @Test @MainActor func `an action of the caller's actor runs before start returns`() {
    let events = Recorder<String>()
    let action = Action { @MainActor in events("action") }
    #expect(action.canRun(on: MainActor.shared))
    action.start(from: MainActor.shared) { events("completion") }
    #expect(events.values == ["action", "completion"])
  }

  @Test func `an action of another actor runs later, on its actor`() async {
    let events = Recorder<String>()
    let action = Action { @MainActor in
      MainActor.assertIsolated()
      events("action")
    }
    #expect(!action.canRun(on: nil))
    action.start(from: nil) { events("completion") }
    await events.wait(for: 2)
    #expect(events.values == ["action", "completion"])
  }
}
