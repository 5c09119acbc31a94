import TestSupport
import Testing

@testable import EscapementDoubles

@Suite struct SpyStateMachineTests {
  private enum Event: CaseIterable { case call, answer, twoAnswers, noAnswers }

  /// Every sequence of up to eight events, compared with a model that has the remaining answers.
  @Test func `answers are taken in order, and the answer that was set last counts`() {
    let start = (state: SpyStateMachine<Int, Int>(), model: Model())
    let exploration = Exploration(from: start, length: 8, events: { _ in Event.allCases }) {
      event, run, left in apply(event, &run.state, &run.model, number: left)
    }
    #expect(exploration.states == (1 << 18) / 3)
  }

  private struct Model {
    var calls: [Int] = []
    var left: [Int] = []
    var always: Int?
    var total: Int?
  }

  private func apply(
    _ event: Event, _ state: inout SpyStateMachine<Int, Int>, _ model: inout Model, number: Int
  ) {
    switch event {
    case .answer:
      state.answer(number)
      (model.always, model.left, model.total) = (number, [], nil)
    case .twoAnswers:
      state.answer([number, -number])
      (model.always, model.left, model.total) = (nil, [number, -number], 2)
    case .noAnswers:
      state.answer([])
      (model.always, model.left, model.total) = (nil, [], 0)
    case .call:
      model.calls.append(number)
      switch state.call(number) {
      case .answer(let answer):
        #expect(answer == model.always ?? model.left.removeFirst())
      case .exhausted(let total):
        #expect(total == model.total && model.left.isEmpty)
      case .unstubbed:
        #expect(model.always == nil && model.total == nil)
      }
    }
    #expect(state.calls == model.calls)
  }
}
