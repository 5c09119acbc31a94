import Foundation
import TestSupport
import Testing

@testable import EscapementDoubles

@Suite struct MockTimerStateMachineTests {
  private enum Event: CaseIterable { case schedule, refuse, fire, fired, invalidate }

  private struct Model {
    var state = MockTimerStateMachine()
    var isValid = false
    var fireCount = 0
    var invalidateCount = 0
  }

  /// Every sequence of up to six events, of timers that repeat and of others.
  @Test(arguments: [false, true])
  func `a timer fires while it is valid, and once if it does not repeat`(repeats: Bool) {
    let exploration = Exploration(from: Model(), length: 6, events: { _ in Event.allCases }) {
      event, model, _ in apply(event, &model, repeats: repeats)
    }
    #expect(exploration.sequences == 15_625)
  }

  private func apply(_ event: Event, _ model: inout Model, repeats: Bool) {
    switch event {
    case .schedule:
      model.state.schedule(interval: 10, repeats: repeats, at: .distantPast) { _ in }
      model.isValid = true
    case .refuse:
      model.state.refuse()
      model.isValid = false
    case .fire:
      let block = model.state.fire()
      #expect((block != nil) == model.isValid)
      if model.isValid { model.fireCount += 1 }
    case .fired:
      model.state.fired()
      if !model.state.repeats { model.isValid = false }
    case .invalidate:
      model.state.invalidate()
      model.isValid = false
      model.invalidateCount += 1
    }
    #expect(model.state.isValid == model.isValid)
    #expect(model.state.fireCount == model.fireCount)
    #expect(model.state.invalidateCount == model.invalidateCount)
  }
}
