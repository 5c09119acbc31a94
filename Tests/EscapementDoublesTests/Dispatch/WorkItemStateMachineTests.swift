import Testing

@testable import EscapementDoubles

@Suite struct WorkItemStateMachineTests {
  @Test func `each listener is called once, in order, and at once if the item has run`() {
    var state = WorkItemStateMachine<String>.pending([])
    #expect(state.notify("a") == nil)
    #expect(state.notify("b") == nil)
    #expect(state.finish() == ["a", "b"])
    #expect(state.finish() == [])
    #expect(state.notify("c") == "c")
  }
}
