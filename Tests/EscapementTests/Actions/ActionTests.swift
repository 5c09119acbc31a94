import TestSupport
import Testing

@testable import Escapement

@Suite struct ActionTests {
  @Test func `an action without an actor runs before start returns`() async {
    let events = Log<String>()
    ActionQueue().start(Action { events.append("action") }, from: nil) {
      events.append("completion")
    }
    #expect(events.entries == ["action", "completion"])
  }

  @Test @MainActor func `an action of the caller's actor runs before start returns`() {
    let events = Log<String>()
    let action = Action { @MainActor in events.append("action") }
    #expect(action.canRun(on: MainActor.shared))
    ActionQueue().start(action, from: MainActor.shared) { events.append("completion") }
    #expect(events.entries == ["action", "completion"])
  }

  @Test func `an action of another actor runs later, on its actor`() async {
    let events = Log<String>()
    let action = Action { @MainActor in
      MainActor.assertIsolated()
      events.append("action")
    }
    #expect(!action.canRun(on: nil))
    ActionQueue().start(action, from: nil) { events.append("completion") }
    await events.wait(for: 2)
    #expect(events.entries == ["action", "completion"])
  }
}

@Suite struct ActionQueueTests {
  @Test func `an action that could run at once waits for one that waits for its actor`() async {
    let events = Log<String>()
    let queue = ActionQueue()
    queue.start(Action { @MainActor in events.append("A") }, from: nil)
    queue.start(Action { events.append("B") }, from: nil)
    await events.wait(for: 2)
    #expect(events.entries == ["A", "B"])
  }

  /// What happens to a queue.
  private enum Event { case startNow, startLater, next }

  @Test func `every sequence of events keeps the order, and loses no action`() {
    struct Model {
      var machine = ActionQueueStateMachine<Int>()
      var started = 0
      var run = 0
      var hasTask = false
    }
    Exploration(from: Model(), length: 9) { model -> [Event] in
      model.hasTask ? [.startNow, .startLater, .next] : [.startNow, .startLater]
    } step: { event, model, _ in
      switch event {
      case .startNow, .startLater:
        model.started += 1
        switch model.machine.start(model.started, canRunNow: event == .startNow) {
        case .runNow:
          #expect(event == .startNow && !model.hasTask)
          model.run += 1
          #expect(model.run == model.started)
        case .runInTask:
          #expect(!model.hasTask)
          model.hasTask = true
        case .wait:
          #expect(model.hasTask)
        }
      case .next:
        if let next = model.machine.next() {
          model.run += 1
          #expect(next == model.run)
        } else {
          model.hasTask = false
          #expect(model.run == model.started)
        }
      }
    }
  }
}
