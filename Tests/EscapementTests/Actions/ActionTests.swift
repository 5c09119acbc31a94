import TestSupport
import Testing

@testable import Escapement

@Suite struct ActionTests {
  @Test func `an action without an actor runs before start returns`() async {
    let events = Log<String>()
    Action { events.append("action") }.start(from: nil) { events.append("completion") }
    #expect(events.entries == ["action", "completion"])
  }

  @Test @MainActor func `an action of the caller's actor runs before start returns`() {
    let events = Log<String>()
    let action = Action { @MainActor in events.append("action") }
    #expect(action.canRun(on: MainActor.shared))
    action.start(from: MainActor.shared) { events.append("completion") }
    #expect(events.entries == ["action", "completion"])
  }

  @Test func `an action of another actor runs later, on its actor`() async {
    let events = Log<String>()
    let action = Action { @MainActor in
      MainActor.assertIsolated()
      events.append("action")
    }
    #expect(!action.canRun(on: nil))
    action.start(from: nil) { events.append("completion") }
    await events.wait(for: 2)
    #expect(events.entries == ["action", "completion"])
  }
}
