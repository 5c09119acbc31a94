import TestSupport
import Testing
import _EscapementCore

@testable import EscapementTesting

@Suite struct EventCounterStateMachineTests {
  /// Every sequence of up to six events, with waiters for one, two and three calls.
  @Test func `each waiting task is resumed once, at its number or when it is cancelled`() {
    let exploration = Exploration(from: Model(), length: 6, events: \.events) {
      event, model, _ in model.apply(event)
    }
    #expect(exploration.sequences > 10_000)
  }

  private enum Event { case increment, arm(Int), cancel(Int) }

  private struct Model {
    var state = EventCounterStateMachine()
    var count = 0
    /// The tokens of the waiting tasks, by number; `nil` for a task that has been resumed.
    var waiting: [Int: TimerToken] = [:]
    var left: [TimerToken] = []

    var events: [Event] { [.increment] + (1...3).flatMap { [.arm($0), .cancel($0)] } }

    mutating func apply(_ event: Event) {
      switch event {
      case .increment:
        count += 1
        let reached = waiting.filter { $0.key <= count }
        #expect(state.increment().count == reached.count)
        for (number, token) in reached {
          waiting[number] = nil
          left.append(token)
        }
      case .arm(let number):
        guard waiting[number] == nil else { return }
        let token = state.arm(until: number)
        #expect((token == nil) == (number <= count))
        waiting[number] = token
      case .cancel(let number):
        guard let token = waiting.removeValue(forKey: number) else { return }
        #expect(state.cancel(token) != nil)
        left.append(token)
      }
      #expect(state.count == count)
      // A task that has been resumed cannot be cancelled.
      for token in left { #expect(state.cancel(token) == nil) }
    }
  }
}
