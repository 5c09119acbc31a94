import Foundation
import Testing

@testable import EscapementDoubles

@Suite struct MockTimerStateTests {
  private enum Event: CaseIterable { case schedule, refuse, fire, fired, invalidate }

  private struct Model {
    var state = MockTimerState()
    var isValid = false
    var fireCount = 0
    var invalidateCount = 0
  }

  /// Every sequence of up to six events, of timers that repeat and of others.
  @Test(arguments: [false, true])
  func `it fires while it is valid, and once if it does not repeat`(repeats: Bool) {
    var leaves = 0
    func explore(_ model: Model, depth: Int) {
      guard depth > 0 else {
        leaves += 1
        return
      }
      for event in Event.allCases {
        var model = model
        apply(event, &model, repeats: repeats)
        explore(model, depth: depth - 1)
      }
    }
    explore(Model(), depth: 6)
    #expect(leaves == 15_625)
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
