import Testing

@testable import EscapementVirtualTime

@Suite struct ExecutionOrderTests {
  @Test func `a seed and a schedule are one run each`() throws {
    for (order, expected) in [
      (.seed(9), .seed(9, .byTurns)), (.seed(9, .random), .seed(9, .random)),
      (.schedule(""), .schedule(.plain)),
    ] as [(ExecutionOrder, ScheduleSource)] {
      guard case .single(let source) = try order.plan() else {
        Issue.record("\(order) runs more than once")
        continue
      }
      #expect(source == expected)
    }
  }

  @Test func `malformed schedules are refused`() {
    #expect(throws: ScheduleSyntaxError.self) { try ExecutionOrder.schedule("7x").plan() }
  }
}
