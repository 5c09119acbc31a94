import CVirtualTime
import Testing

@testable import EscapementVirtualTime

@Suite struct ScopeStateTests {
  private func state(
    _ mode: VirtualTimeOptions.Mode = .automatic, openHoldLimit: Int? = nil, eventLimit: Int = 100
  ) -> ScopeState {
    var state = ScopeState(
      options: VirtualTimeOptions(
        mode: mode, openHoldLimit: openHoldLimit, eventLimit: eventLimit))
    #expect(state.startDraining() == true)
    return state
  }

  // MARK: Jobs

  @Test func `jobs from other threads run before anything else happens, all at once`() {
    var state = state()
    state.arm(1, until: 0)
    #expect(state.add(.standIn(1)) == false)
    #expect(state.add(.standIn(2)) == false)
    #expect(state.nextStep() == "run 1 2")
    #expect(state.nextStep() == "wake 1")
  }

  @Test func `the first event while the scope waits makes it run, later events do not`() {
    var state = state()
    #expect(state.nextStep() == "wait stalled")
    #expect(state.add(.standIn(1)) == true)
    #expect(state.add(.standIn(2)) == false)
    #expect(state.baton.waiting == nil)
    #expect(state.nextStep() == "run 1 2")
  }

  @Test func `one wait can be told from the next`() throws {
    var state = state()
    _ = state.next()
    let first = try #require(state.baton.waiting)
    _ = state.startDraining()
    _ = state.next()
    let second = try #require(state.baton.waiting)
    #expect(first.reason == second.reason)
    #expect(first.count != second.count)
  }

  @Test func `the scope is idle when it waits for outside code, and not when it is held`() {
    var state = state()
    #expect(!state.isIdle)
    _ = state.next()
    #expect(state.isIdle)
    _ = state.add(.standIn(1))
    #expect(!state.isIdle)
    _ = state.next()
    state.openHold()
    #expect(state.nextStep() == "wait held")
    #expect(!state.isIdle)
  }

  // MARK: Outside

  @Test func `before time moves each external source is asked, once`() {
    var state = state()
    state.time.externalSources.add(ExternalSource {})
    state.time.externalSources.add(ExternalSource {})
    state.arm(1, until: 0)
    state.arm(2, until: 5)
    state.arm(3, until: 5)
    #expect(state.nextStep() == "wake 1")
    #expect(state.nextStep() == "ask 2 outside")
    #expect(state.nextStep() == "wake 2")
    #expect(state.nextStep() == "wake 3")
    #expect(state.nextStep() == "ask 2 outside")
    #expect(state.nextStep() == "wait stalled")
  }

  @Test func `what comes back runs before time moves, and then there is another question`() {
    var state = state()
    state.time.externalSources.add(ExternalSource {})
    state.arm(1, until: 5)
    #expect(state.nextStep() == "ask 1 outside")
    _ = state.add(.standIn(9))
    #expect(state.nextStep() == "run 9")
    #expect(state.nextStep() == "ask 1 outside")
    #expect(state.nextStep() == "wake 1")
  }

  @Test func `an external source is not asked while time is held or after it was dismissed`() {
    var state = state()
    let source = ExternalSource {}
    state.time.externalSources.add(source)
    state.openHold()
    #expect(state.nextStep() == "wait held")
    state.time.externalSources.remove(source)
    #expect(state.closeHold() == true)
    #expect(state.nextStep() == "wait stalled")
  }

  // MARK: Time

  @Test func `automatic time jumps from deadline to deadline, equal ones in the order of arming`() {
    var state = state()
    for (number, deadline) in [3, 1, 2, 1].enumerated() {
      state.arm(number, until: Int64(deadline))
    }
    var seen: [String] = []
    for _ in 0..<4 {
      seen.append("\(state.nextStep()) at \(state.time.now)")
    }
    #expect(seen == ["wake 1 at 1", "wake 3 at 1", "wake 2 at 2", "wake 0 at 3"])
    #expect(state.nextStep() == "wait stalled")
    #expect(state.time.now == 3)
  }

  @Test func `manual time stands unless a driver moves it`() {
    var state = state(.manual)
    state.arm(1, until: 1)
    #expect(state.nextStep() == "wait stalled")
    #expect(state.time.now == 0)
    #expect(state.time.sleepers.nextDeadline == 1)
  }

  @Test(arguments: [VirtualTimeOptions.Mode.automatic, .manual])
  func `an advance visits every deadline up to its end and stops there`(
    mode: VirtualTimeOptions.Mode
  ) {
    var state = state(mode)
    for deadline in 1...6 as ClosedRange<Int64> { state.arm(Int(deadline), until: 2 * deadline) }
    state.drive(1, .advance(to: 8))
    for number in 1...4 {
      #expect(state.nextStep() == "wake \(number)")
      #expect(state.time.now == Int64(2 * number))
    }
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == 8)
    #expect(state.time.sleepers.nextDeadline == 10)
  }

  @Test func `an advance that ends a nanosecond before a deadline does not wake it`() {
    var state = state(.manual)
    state.arm(1, until: 10)
    state.drive(1, .advance(to: 9))
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == 9)
    state.drive(2, .advance(to: 10))
    #expect(state.nextStep() == "wake 1")
    #expect(state.nextStep() == "done 2")
  }

  @Test func `what is armed on the way is honoured`() {
    var state = state(.manual)
    state.arm(0, until: 1)
    state.drive(1, .advance(to: 1000))
    var wakeUps = 0
    while state.nextStep() == "wake \(wakeUps)" {
      wakeUps += 1
      state.arm(wakeUps, until: state.time.now + 1)
    }
    #expect(wakeUps == 100)  // the limit of events
  }

  @Test func `a driver that moves time while another one does goes first`() {
    var state = state(.manual)
    state.arm(1, until: 1)
    state.arm(2, until: 2)
    state.arm(3, until: 3)
    state.drive(1, .advance(to: 3))
    #expect(state.nextStep() == "wake 1")
    state.drive(2, .advance(to: 2))
    state.drive(3, .settle)
    #expect(state.nextStep() == "done 3")
    #expect(state.nextStep() == "wake 2")
    #expect(state.nextStep() == "done 2")
    #expect(state.time.now == 2)
    #expect(state.nextStep() == "wake 3")
    #expect(state.nextStep() == "done 1")
  }

  @Test func `moves by durations add up, and what one has moved does not count for the other`() {
    var state = state(.manual)
    for number in 1...3 { state.arm(number, until: Int64(number)) }
    state.drive(1, .move(by: 3))
    #expect(state.nextStep() == "wake 1")
    state.drive(2, .move(by: 4))
    #expect(state.nextStep() == "wake 2")
    #expect(state.nextStep() == "wake 3")
    #expect(state.nextStep() == "done 2")
    #expect(state.time.now == 5)
    state.arm(4, until: 7)
    state.arm(5, until: 8)
    #expect(state.nextStep() == "wake 4")
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == 7)
  }

  @Test func `a move by a duration ends at the end of the range`() {
    var state = state(.manual)
    state.drive(1, .move(by: .max))
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == .last)
    state.drive(2, .move(by: 1))
    #expect(state.nextStep() == "done 2")
    #expect(state.time.now == .last)
  }

  @Test func `an advance to where time has gone already is done at once`() {
    var state = state(.manual)
    state.drive(1, .advance(to: 3))
    state.drive(2, .advance(to: 5))
    #expect(state.nextStep() == "done 2")
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == 5)
  }

  @Test func `run goes on until no deadline is left, or its limit is reached`() {
    var state = state(.manual)
    for number in 1...3 { state.arm(number, until: Int64(number)) }
    state.drive(1, .run(limit: 2))
    #expect(state.nextStep() == "wake 1")
    #expect(state.nextStep() == "wake 2")
    #expect(state.nextStep() == "limitReached 1")
    state.drive(2, .run(limit: 1))
    #expect(state.nextStep() == "wake 3")
    #expect(state.nextStep() == "done 2")
    state.drive(3, .run(limit: 0))
    #expect(state.nextStep() == "done 3")
    #expect(state.time.now == 3)
  }

  @Test func `a clock that is advanced is asked for steps until it has none, time stands`() {
    var state = state()
    state.arm(1, until: 1)
    state.drive(1, .steps { true })
    #expect(state.nextStep() == "ask 0")
    #expect(state.nextStep() == "ask 0")
    state.time.drivers.stepsAreDone(of: 0)
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == 0)
  }

  @Test func `a deadline at the end of the range never comes`() {
    var state = state()
    state.arm(1, until: .never)
    #expect(state.time.sleepers.nextDeadline == nil)
    #expect(state.time.sleepers.all.count == 1)
    #expect(state.nextStep() == "wait stalled")
    state.drive(1, .advance(to: .never))
    #expect(state.nextStep() == "done 1")
    #expect(state.time.now == .never - 1)
    state.drive(2, .run(limit: 10))
    #expect(state.nextStep() == "done 2")
  }

  @Test func `the last instant of the range comes`() {
    var state = state()
    state.arm(1, until: .never - 1)
    #expect(state.nextStep() == "wake 1")
    #expect(state.time.now == .never - 1)
  }

  @Test(arguments: [VirtualTimeOptions.Mode.automatic, .manual])
  func `a sleep that is due wakes with any driver, and time stays`(
    mode: VirtualTimeOptions.Mode
  ) {
    var state = state(mode)
    state.drive(1, .advance(to: 5))
    _ = state.next()
    state.arm(1, until: 5)
    state.arm(2, until: 3)
    #expect(state.nextStep() == "wake 2")
    #expect(state.nextStep() == "wake 1")
    #expect(state.time.now == 5)
    #expect(state.nextStep() == "wait stalled")
  }

  // MARK: Holds

  @Test func `time stands until the last hold has ended`() {
    var state = state()
    state.arm(1, until: 1)
    state.drive(1, .settle)
    state.openHold()
    state.openHold()
    #expect(state.nextStep() == "wait held")
    #expect(state.closeHold() == false)
    #expect(state.baton.waiting?.reason == .held)
    #expect(state.closeHold() == true)
    #expect(state.nextStep() == "done 1")
    #expect(state.nextStep() == "wake 1")
  }

  @Test func `a hold too many wakes a parked scope, and is told once, before time moves`() {
    var state = state(openHoldLimit: 1)
    let task = TaskDescription(id: 7, name: nil)
    state.arm(1, until: 1)
    #expect(state.openHold(by: task) == false)
    #expect(state.nextStep() == "wait held")
    #expect(state.openHold(by: task) == true)
    #expect(state.openHold(by: task) == false)
    for _ in 1...3 { #expect(state.closeHold(by: task) == false) }
    #expect(state.passTime(to: 1, isUnderway: false) == false)
    #expect(state.nextStep() == "too many holds [7, 7]")
    #expect(state.nextStep() == "wake 1")
  }

  @Test func `holds of doubles, and holds after the body, are not too many`() {
    var state = state(openHoldLimit: 0)
    state.openHold()
    #expect(state.nextStep() == "wait held")
    _ = state.closeHold()
    _ = state.endBody()
    #expect(state.openHold(by: TaskDescription(id: 7, name: nil)) == false)
    #expect(state.nextStep() == "cancel leftovers")
  }

  @Test func `jobs run while the scope is held`() {
    var state = state()
    state.openHold()
    _ = state.next()
    #expect(state.add(.standIn(1)) == true)
    #expect(state.nextStep() == "run 1")
    #expect(state.nextStep() == "wait held")
  }

  @Test func `a sleep in real time holds the scope, and its end makes it run`() {
    var state = state()
    state.arm(1, until: 1)
    let (first, second) = (state.beginRealSleep(.standIn(2)), state.beginRealSleep(.standIn(3)))
    #expect(state.nextStep() == "wait held")
    #expect(state.realSleepIsOver(first) == true)
    #expect(state.nextStep() == "run 2")
    #expect(state.nextStep() == "wait held")
    #expect(state.realSleepIsOver(first) == false)
    #expect(state.realSleepIsOver(second) == true)
    #expect(state.nextStep() == "run 3")
    #expect(state.nextStep() == "wake 1")
  }

  @Test func `a sleep in real time that was cancelled ends once`() {
    var state = state()
    let sleep = state.beginRealSleep(.standIn(1))
    #expect(state.time.holds.endSleep(sleep)?.number == 1)
    #expect(state.time.holds.endSleep(sleep) == nil)
    #expect(state.realSleepIsOver(sleep) == false)
    #expect(state.nextStep() == "wait stalled")
  }

  // MARK: Limits

  @Test func `a limit on deadlines is reached after so many, and counts anew after that`() {
    var state = state(eventLimit: 2)
    for number in 1...5 { state.arm(number, until: Int64(number)) }
    #expect(state.nextStep() == "wake 1")
    #expect(state.nextStep() == "wake 2")
    #expect(state.nextStep() == "too many events")
    #expect(state.time.now == 2)
    #expect(state.time.eventsAtLimit == 2)
    #expect(state.nextStep() == "wake 3")
    #expect(state.nextStep() == "wake 4")
    #expect(state.nextStep() == "too many events")
  }

  @Test func `deadlines of the body count as well`() {
    var state = state(eventLimit: 2)
    state.body = cvt_current_task()
    for number in 1...3 { state.arm(number, until: Int64(number)) }
    for step in ["wake 1", "wake 2", "too many events"] { #expect(state.nextStep() == step) }
  }

  @Test func `a move of time by hand counts as one more`() {
    var state = state(eventLimit: 3)
    for number in 1...4 { state.arm(number, until: Int64(number)) }
    state.drive(1, .advance(to: 2))
    for step in ["wake 1", "wake 2", "done 1", "too many events"] {
      #expect(state.nextStep() == step)
    }
  }

  @Test func `moves of time by hand are limited without any deadline`() {
    var state = state(.manual, eventLimit: 2)
    for number in 1...3 { state.drive(number, .advance(to: Int64(number))) }
    for step in ["done 3", "done 2", "too many events"] { #expect(state.nextStep() == step) }
  }

  @Test func `after the body has been cancelled only ten thousand deadlines may pass`() {
    var state = state(eventLimit: 1_000_000)
    for number in 1...10_001 { state.arm(number, until: Int64(number)) }
    _ = state.reachLimit()
    for number in 1...10_000 { #expect(state.nextStep() == "wake \(number)") }
    #expect(state.nextStep() == "too many events")
  }

  // MARK: The end

  @Test func `time stands when the body has ended`() {
    var state = state()
    state.arm(1, until: 1)
    state.drive(1, .advance(to: 5))
    #expect(state.endBody() == false)
    #expect(state.nextStep() == "cancel leftovers")
    #expect(state.time.now == 0)
    #expect(state.time.drivers.removeAll().map(\.number) == [1])
    #expect(state.time.drivers.removeAll().isEmpty)
    #expect(state.add(.standIn(2, .settle)) == false)
    #expect(state.add(.standIn(1)) == false)
    #expect(state.nextStep() == "run 1")
    #expect(state.nextStep() == "cancel leftovers")
  }

  @Test func `the body ends once`() {
    var state = state()
    _ = state.next()
    #expect(state.endBody() == true)
    _ = state.next()
    #expect(state.endBody() == false)
  }

  @Test func `nothing begins after the end`() {
    var state = state()
    _ = state.endBody()
    #expect(state.end() == .completed)
    #expect(state.life.hasEnded)
    #expect(state.arm(.standIn(1), until: 1, name: nil) == nil)
    #expect(state.add(.standIn(1, .settle)) == false)
    #expect(state.nextStep() == "wait stalled")
    #expect(state.startDraining() == false)
    #expect(state.add(.standIn(1)) == false)
  }

  // MARK: Names

  @Test func `a sleeper has its name, also when its place was taken over`() {
    var state = state()
    _ = state.arm(.standIn(1), until: 1, name: "first")
    #expect(state.time.sleepers.all.map(\.task?.name) == ["first"])
    _ = state.next()
    state.arm(2, until: 2)
    _ = state.arm(.standIn(3), until: 3, name: "third")
    #expect(state.time.sleepers.all.map(\.task?.name) == [nil, "third"])
  }

  @Test func `names are forgotten with those who had them`() {
    var state = state(eventLimit: .max)
    for number in 0..<1000 {
      _ = state.arm(.standIn(number), until: Int64(number), name: "\(number)")
      _ = state.next()
    }
    _ = state.arm(.standIn(1), until: .never, name: "last")
    #expect(state.time.sleepers.all.map(\.task?.name) == ["last"])
  }
}

extension ScopeState {
  mutating func arm(_ number: Int, until deadline: Nanoseconds) {
    _ = arm(.standIn(number, armedAt: time.now), until: deadline, name: nil)
  }

  mutating func drive(_ number: Int, _ goal: Driver.Goal) {
    #expect(add(.standIn(number, goal)))
  }

  /// The next step, in words.
  mutating func nextStep() -> String {
    switch next() {
    case .run(let jobs): "run " + jobs.map { "\($0.job.number)" }.joined(separator: " ")
    case .wake(let timer): "wake \(timer.number)"
    case .resume(let driver, let outcome): "\(outcome) \(driver.number)"
    case .ask(_, let driver): "ask \(driver)"
    case .askOutside(let sources): "ask \(sources.count) outside"
    case .tooManyEvents: "too many events"
    case .waitedTooLong(let reason): "too long \(reason)"
    case .tooManyHolds(let openers): "too many holds \(openers.map(\.id))"
    case .cancelLeftovers: "cancel leftovers"
    case .park(let reason): "wait \(reason)"
    }
  }
}
