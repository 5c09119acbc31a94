import Testing

@testable import Escapement

@Suite struct PeriodicStateMachineTests {
  enum Event: CaseIterable { case set, start, created, stop, ended }

  @Test func `every sequence of up to seven events has the results of the model`() throws {
    for events in sequences(of: Event.allCases, upTo: 7) {
      try check(events)
    }
  }

  /// Compares the machine with a model that stores whether there is a job, and which period is open.
  private func check(_ events: [Event]) throws {
    var machine = PeriodicStateMachine<String, Int, Int>()
    var hasJob = false
    var open: Int?
    var periods: [Int] = []
    var liveLoops: Set<Int> = []
    var created: Set<Int> = []
    for event in events {
      switch event {
      case .set:
        let change = machine.set("job")
        try require((change != nil) == (open != nil), "a new period, \(events)")
        hasJob = true
        guard let (ended, begun) = change else { continue }
        if let ended { liveLoops.remove(ended) }
        try require(!periods.contains(begun.id), "the period was opened twice, \(events)")
        periods.append(begun.id)
        open = begun.id
      case .start:
        let period = machine.start()
        try require((period != nil) == (hasJob && open == nil), "start, \(events)")
        guard let period else { continue }
        try require(!periods.contains(period.id), "the period was opened twice, \(events)")
        periods.append(period.id)
        open = period.id
      case .created:
        guard let id = periods.last, created.insert(id).inserted else { continue }
        if machine.started(id, of: id) == nil { liveLoops.insert(id) }
      case .stop:
        if let loop = machine.stop() { liveLoops.remove(loop) }
        open = nil
      case .ended:
        guard let id = periods.last, created.contains(id) else { continue }
        machine.ended(id)
        liveLoops.remove(id)
        if open == id { open = nil }
      }
      try require(machine.isActive == (open != nil), "active, \(events)")
      for id in periods {
        try require(machine.mayRun(id) == (id == open), "may run, \(events)")
        // A loop whose period is not open has been cancelled or has ended.
        try require(!liveLoops.contains(id) || id == open, "left alive, \(events)")
      }
    }
  }

  @Test func `a period waits for the loop of the previous period`() {
    var machine = PeriodicStateMachine<String, String, Int>()
    _ = machine.set("job")
    let first = machine.start()
    _ = machine.started("first", of: first!.id)
    _ = machine.stop()
    #expect(machine.start()?.predecessor == "first")
  }

  @Test func `a period does not wait for a loop that has ended`() {
    var machine = PeriodicStateMachine<String, String, Int>()
    _ = machine.set("job")
    let first = machine.start()
    _ = machine.started("first", of: first!.id)
    machine.ended(first!.id)
    #expect(!machine.isActive)
    #expect(machine.start()?.predecessor == nil)
  }

  @Test func `only the open period takes a restart of its interval, once`() {
    var machine = PeriodicStateMachine<String, String, Int>()
    _ = machine.set("job")
    machine.restartInterval(at: 1)
    let first = machine.start()!
    #expect(machine.takeRestart(of: first.id) == nil)
    machine.restartInterval(at: 2)
    _ = machine.started("first", of: first.id)
    #expect(machine.takeRestart(of: first.id) == 2)
    #expect(machine.takeRestart(of: first.id) == nil)
    machine.restartInterval(at: 3)
    let second = machine.set("another job")!.begun
    #expect(machine.takeRestart(of: first.id) == nil)
    #expect(machine.takeRestart(of: second.id) == nil)
  }
}
