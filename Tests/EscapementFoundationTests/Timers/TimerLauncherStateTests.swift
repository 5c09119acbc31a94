import TestSupport
import Testing

@testable import EscapementFoundation

@Suite struct TimerLauncherStateTests {
  private enum Event: CaseIterable { case set, start, stop, tick, lateTick, ended }

  private struct Model {
    var state = TimerLauncherState<Int>()
    var job: Int?
    var period: Int?
    var periods = 0
    var isRunning = false
  }

  /// Every sequence of up to six events.
  @Test func `one run at a time, and only ticks of the present period run`() {
    let exploration = Exploration(from: Model(), length: 6, events: { _ in Event.allCases }) {
      event, model, left in apply(event, &model, number: left)
    }
    #expect(exploration.sequences == 46_656)
  }

  private func apply(_ event: Event, _ model: inout Model, number: Int) {
    switch event {
    case .set:
      #expect(model.state.set(number) == (model.period != nil))
      model.job = number
    case .start:
      let start = model.state.start()
      guard model.period == nil, let job = model.job else {
        #expect(start == nil)
        break
      }
      model.periods += 1
      model.period = model.periods
      #expect(start?.period == model.periods)
      #expect(start?.job == job)
    case .stop:
      #expect(model.state.stop() == (model.period != nil))
      model.period = nil
    case .tick:
      let job = model.state.tick(model.periods)
      let runs = model.period != nil && !model.isRunning
      #expect(job == (runs ? model.job : nil))
      if runs { model.isRunning = true }
    case .lateTick:
      #expect(model.state.tick(model.periods - 1) == nil)
    case .ended:
      model.state.ended()
      model.isRunning = false
    }
    #expect(model.state.isActive == (model.period != nil))
    #expect(model.state.isRunning == model.isRunning)
  }
}
