import Testing

@testable import EscapementVirtualTime

@Suite struct DriversTests {
  private func drivers(_ goals: Driver.Goal...) -> Drivers {
    var drivers = Drivers()
    for (index, goal) in goals.enumerated() { drivers.append(.standIn(index, goal)) }
    return drivers
  }

  @Test func `the latest goes first, and each has its number`() {
    var drivers = drivers(.settle, .run(limit: 1))
    #expect(drivers.last?.id == 1)
    #expect(drivers.removeLast().id == 1)
    #expect(drivers.last?.id == 0)
    #expect(drivers.removeAll().count == 1)
    #expect(drivers.isEmpty)
  }

  @Test func `a driver without steps settles, also if another one has begun meanwhile`() {
    var drivers = drivers(.steps { false }, .run(limit: 1))
    drivers.stepsAreDone(of: 0)
    guard case .run = drivers.removeLast().goal, case .settle = drivers.last?.goal else {
      Issue.record("another driver settles")
      return
    }
  }

  @Test func `a driver that has been resumed is not changed`() {
    var drivers = drivers(.run(limit: 1))
    drivers.stepsAreDone(of: 7)
    guard case .run = drivers.last?.goal else {
      Issue.record("another driver settles")
      return
    }
  }
}
