import EscapementFoundation
import Foundation
import TestSupport
import Testing

@testable import EscapementDoubles

@Suite struct AddedTimersTests {
  private let timers = (0..<2).map { _ in Timer(after: 1) { _ in } }
  private let modes: [RunLoop.Mode] = [.default, .common]

  private enum Event { case add(Int, mode: Int, isValid: Bool), remove(Int) }

  private var events: [Event] {
    (0...1).flatMap { timer in
      [.remove(timer)]
        + (0...1).flatMap { mode in
          [true, false].map { Event.add(timer, mode: mode, isValid: $0) }
        }
    }
  }

  private struct Model {
    var added = AddedTimers()
    var order: [Int] = []
    var modes: [[Int]] = [[], []]
  }

  /// Every sequence of up to four events, with two timers and two modes.
  @Test func `each timer and each of its modes is recorded once`() {
    let exploration = Exploration(from: Model(), length: 4, events: { _ in events }) {
      event, model, _ in apply(event, &model)
    }
    #expect(exploration.sequences == 10_000)
  }

  private func apply(_ event: Event, _ model: inout Model) {
    switch event {
    case .add(let timer, let mode, let isValid):
      let refusal = model.added.add(timers[timer], modes[mode], isValid: isValid)
      let name = modes[mode].rawValue
      if !isValid {
        #expect(refusal == .invalid(mode: name))
      } else if model.modes[timer].contains(mode) {
        #expect(refusal == .addedTwice(mode: name))
      } else {
        #expect(refusal == nil)
        if model.modes[timer].isEmpty { model.order.append(timer) }
        model.modes[timer].append(mode)
      }
    case .remove(let timer):
      model.added.remove(ObjectIdentifier(timers[timer]))
      model.order.removeAll { $0 == timer }
      model.modes[timer] = []
    }
    #expect(model.added.timers == model.order.map { timers[$0] })
    for (timer, modes) in zip(timers, model.modes) {
      let id = ObjectIdentifier(timer)
      #expect(model.added.modes(of: timer) == modes.map { self.modes[$0] })
      #expect(model.added.contains(id) == !modes.isEmpty)
      #expect(model.added[id] == (modes.isEmpty ? nil : timer))
    }
  }
}
