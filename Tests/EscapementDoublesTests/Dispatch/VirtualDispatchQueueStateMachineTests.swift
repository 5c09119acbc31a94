import Testing

@testable import EscapementDoubles

@Suite struct VirtualDispatchQueueStateMachineTests {
  @Test func `work runs one after the other, in the order of submission`() {
    // Against a simple model, with all sequences of seven events.
    enum Event: CaseIterable { case submit, begin, ended }
    func check(_ events: [Event]) {
      var state = VirtualDispatchQueueStateMachine<Int>()
      var (model, running, number) = ([Int](), false, 0)
      for event in events {
        switch event {
        case .submit:
          number += 1
          state.submit(number)
          model.append(number)
        case .begin:
          let expected = running || model.isEmpty ? nil : model.removeFirst()
          running = running || expected != nil
          #expect(state.begin() == expected)
        case .ended:
          running = false
          state.ended()
        }
        #expect(state.hasWork == !model.isEmpty)
        #expect(state.isRunning == running)
      }
    }
    var sequences: [[Event]] = [[]]
    for _ in 1...7 {
      sequences = sequences.flatMap { sequence in Event.allCases.map { sequence + [$0] } }
    }
    sequences.forEach(check)
  }

  @Test func `sync from inside the queue is refused`() {
    var state = VirtualDispatchQueueStateMachine<Int>()
    #expect(state.beginSync() == true)
    #expect(state.beginSync() == false)
    state.ended()
    state.submit(1)
    #expect(state.begin() == 1)
    #expect(state.beginSync() == false)
  }

  @Test func `many pieces of work keep their order`() {
    var state = VirtualDispatchQueueStateMachine<Int>()
    (0..<5000).forEach { state.submit($0) }
    for number in 0..<5000 {
      #expect(state.begin() == number)
      state.ended()
    }
    #expect(state.begin() == nil)
  }
}
