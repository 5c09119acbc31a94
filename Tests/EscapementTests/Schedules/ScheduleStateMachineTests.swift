import TestSupport
import Testing

@testable import Escapement

@Suite struct ScheduleStateMachineTests {
  private let noon = instant(2026, 1, 1, 12)
  private let hourly = try! Schedule.every(.seconds(3600))

  private func machine(
    _ missed: MissedRuns, schedule: Schedule? = nil, lastRun: WallClock.Instant? = nil,
    runsAtStart: Bool = false
  ) -> ScheduleStateMachine {
    ScheduleStateMachine(
      schedule: schedule ?? hourly, missed: missed, start: noon, lastRun: lastRun,
      runsAtStart: runsAtStart)
  }

  private func after(_ hours: Double) -> WallClock.Instant {
    noon.advanced(by: .seconds(hours * 3600))
  }

  /// All steps until the machine waits.
  private func steps(
    _ machine: inout ScheduleStateMachine, at now: WallClock.Instant
  ) -> [ScheduleStateMachine.Step] {
    var steps: [ScheduleStateMachine.Step] = []
    while true {
      let step = machine.next(now: now)
      steps.append(step)
      guard case .run = step else { return steps }
    }
  }

  @Test func `a run begins at its instant and not a nanosecond before`() {
    var machine = machine(.runOnce)
    #expect(machine.next(now: noon) == .wait(until: after(1)))
    let before = after(1).advanced(by: .nanoseconds(-1))
    #expect(machine.next(now: before) == .wait(until: after(1)))
    #expect(steps(&machine, at: after(1)) == [.run(after(1)), .wait(until: after(2))])
  }

  @Test func `with runOnce the newest of the missed runs takes place`() {
    var machine = machine(.runOnce)
    #expect(steps(&machine, at: after(5.5)) == [.run(after(5)), .wait(until: after(6))])
  }

  @Test func `with catchUp the newest missed runs take place in order`() {
    var machine = machine(.catchUp(atMost: 3))
    let expected: [ScheduleStateMachine.Step] = [
      .run(after(3)), .run(after(4)), .run(after(5)), .wait(until: after(6)),
    ]
    #expect(steps(&machine, at: after(5.5)) == expected)
  }

  @Test func `with catchUp each run takes place once while further ones become due`() {
    var machine = machine(.catchUp(atMost: 100))
    var runs: [WallClock.Instant] = []
    var now = after(10)
    while case .run(let run) = machine.next(now: now) {
      runs.append(run)
      // Each run takes half an hour.
      now = now.advanced(by: .seconds(1800))
    }
    #expect(runs == (1...runs.count).map { after(Double($0)) })
    #expect(runs.count == 19)
  }

  @Test func `with skip a run is dropped when it is later than the tolerance`() {
    let tolerance = Duration.seconds(60)
    var late = machine(.skip(laterThan: tolerance))
    let limit = after(1).advanced(by: tolerance)
    #expect(
      steps(&late, at: limit.advanced(by: .nanoseconds(1))) == [.wait(until: after(2))])
    var inTime = machine(.skip(laterThan: tolerance))
    #expect(steps(&inTime, at: limit) == [.run(after(1)), .wait(until: after(2))])
  }

  @Test func `a run at the start comes before all others`() {
    var machine = machine(.runOnce, runsAtStart: true)
    #expect(steps(&machine, at: noon) == [.run(noon), .wait(until: after(1))])
  }

  @Test func `the runs since the last one are missed`() {
    var once = machine(.runOnce, lastRun: after(-4))
    #expect(steps(&once, at: noon) == [.run(noon), .wait(until: after(1))])
    var all = machine(.catchUp(atMost: 9), lastRun: after(-2))
    #expect(steps(&all, at: noon) == [.run(after(-1)), .run(noon), .wait(until: after(1))])
    var none = machine(.skip(laterThan: .zero), lastRun: after(-4.5))
    #expect(steps(&none, at: after(0.5)) == [.wait(until: after(1))])
    var future = machine(.runOnce, lastRun: after(100))
    #expect(steps(&future, at: noon) == [.wait(until: after(1))])
  }

  @Test func `a clock that is set back does not repeat a run`() {
    var machine = machine(.runOnce)
    #expect(steps(&machine, at: after(2)).first == .run(after(2)))
    #expect(steps(&machine, at: after(0.5)) == [.wait(until: after(3))])
  }

  @Test func `a clock that is set back by more than three hours is followed`() {
    for (hours, expected) in [(7.0, after(11)), (6.9999, after(7))] {
      var machine = machine(.runOnce)
      #expect(steps(&machine, at: after(10)).first == .run(after(10)))
      #expect(steps(&machine, at: after(hours)) == [.wait(until: expected)])
    }
  }

  @Test func `a clock that is set forwards by 50 years is followed at once`() throws {
    let schedule = try Schedule.cron("* * * * *", in: .utc)
    let later = instant(2076, 6, 1, 12, 0, 30)
    for policy in [MissedRuns.runOnce, .skip(laterThan: .seconds(60)), .catchUp(atMost: 2)] {
      var machine = machine(policy, schedule: schedule)
      let steps = steps(&machine, at: later)
      #expect(steps.last == .wait(until: instant(2076, 6, 1, 12, 1)))
      #expect(steps.dropLast().last == .run(instant(2076, 6, 1, 12)))
      #expect(steps.count == (policy == .catchUp(atMost: 2) ? 3 : 2))
    }
  }

  @Test func `runs in each nanosecond of years do not take long to decide`() throws {
    let schedule = try Schedule.every(.nanoseconds(1))
    for policy in [MissedRuns.runOnce, .skip(laterThan: .zero), .catchUp(atMost: 3)] {
      for time in [Duration.seconds(1_800), .seconds(1_000_000_000)] {
        var machine = machine(policy, schedule: schedule)
        let now = noon.advanced(by: time)
        let steps = steps(&machine, at: now)
        #expect(steps.dropLast().last == .run(now))
        #expect(steps.count == (policy == .catchUp(atMost: 3) ? 4 : 2))
      }
    }
  }

  @Test func `extreme instants, tolerances and delays end nothing but the schedule`() throws {
    let ends = [WallClock.Instant(offset: .zero - .longest), WallClock.Instant(offset: .longest)]
    let schedules = [
      try Schedule.cron("* * * * *", in: .utc), try .every(.longest), try .every(.nanoseconds(1)),
    ]
    for (start, now) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      for schedule in schedules {
        var machine = ScheduleStateMachine(
          schedule: schedule, missed: .skip(laterThan: .longest), start: ends[start],
          lastRun: ends[now])
        _ = machine.next(now: ends[now])
        _ = machine.next(now: noon)
      }
    }
  }

  @Test func `a schedule that ends finishes after its last run`() {
    var machine = machine(.runOnce, schedule: hourly.ending(at: after(1)))
    #expect(steps(&machine, at: after(1)) == [.run(after(1)), .finished])
    #expect(machine.next(now: after(2)) == .finished)
  }

  @Test func `with random delays and a random clock each run is decided once, in order`() throws {
    forAllSeeds { generator in
      let count = Int.random(in: 1...4, using: &generator)
      let schedule = try Schedule.every(.seconds(60))
        .jittered(upTo: .seconds(Int.random(in: 0...150, using: &generator)), seed: 5)
      var machine = machine(.catchUp(atMost: count), schedule: schedule)
      var now = noon
      var last = noon
      for _ in 0..<40 {
        let advance = Duration.seconds(Int.random(in: -30...400, using: &generator))
        now = now.advanced(by: advance)
        let steps = steps(&machine, at: now)
        try require(steps.count - 1 <= count, "\(steps.count - 1) runs")
        for step in steps {
          switch step {
          case .run(let run):
            try require(run > last, "\(run) after \(last)")
            try require(schedule.jitter.delayed(run) <= now, "\(run) is early at \(now)")
            last = run
          case .wait(let deadline):
            try require(deadline > now, "waits for the past")
          case .finished:
            try require(false, "finished")
          }
        }
      }
    }
  }
}
