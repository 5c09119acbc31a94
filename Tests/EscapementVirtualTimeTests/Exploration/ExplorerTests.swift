import TestSupport
import Testing

@testable import EscapementVirtualTime

/// Tasks with so many jobs each, which are ready again as soon as one has run.
private struct Workload {
  var jobsLeft: [Int]
  var ready: [Explorer.Candidate] = []
  var log: [Int] = []

  init(_ jobs: [Int], _ explorer: inout Explorer) {
    jobsLeft = jobs
    for task in 1...jobs.count { ready.append(explorer.add(taskID: UInt64(task))) }
  }

  mutating func run(_ explorer: inout Explorer) {
    while !ready.isEmpty {
      let choice = ready.count == 1 ? 0 : explorer.decide(among: ready, at: Int64(log.count))
      let job = ready.remove(at: choice)
      log.append(job.task)
      jobsLeft[job.task - 1] -= 1
      if jobsLeft[job.task - 1] > 0 {
        ready.append(explorer.add(taskID: UInt64(job.task)))
      }
    }
  }

  static func log(_ jobs: [Int], _ source: ScheduleSource) -> (log: [Int], ExplorationTrace) {
    var explorer = Explorer(source)
    var workload = Workload(jobs, &explorer)
    workload.run(&explorer)
    return (workload.log, explorer.trace)
  }
}

@Suite struct ExplorerTests {
  @Test func `the plain schedule is first come, first served`() {
    let (log, trace) = Workload.log([2, 2, 2], .schedule(.plain))
    #expect(log == [1, 2, 3, 1, 2, 3])
    #expect(trace.decisions == 5)
    #expect(trace.schedule == .plain)
  }

  @Test(arguments: [
    ("0+1", [2, 1, 3]), ("0+2", [3, 1, 2]), ("0+9", [3, 1, 2]), ("0", [2, 3, 1]),
    ("0x1", [2, 1, 3]), ("0x2", [2, 3, 1]), ("0.1", [2, 3, 1]), ("1", [1, 3, 2]), ("2", [1, 2, 3]),
  ])
  func `overtakings change the order of three tasks`(text: String, order: [Int]) throws {
    let schedule = try ExecutionSchedule(parsing: text)
    #expect(Workload.log([1, 1, 1], .schedule(schedule)).log == order)
  }

  @Test func `one that waits lets all jobs of the others go first`() throws {
    let waits = try ExecutionSchedule(parsing: "0")
    #expect(Workload.log([1, 4], .schedule(waits)).log == [2, 2, 2, 2, 1])
    let waitsForTwo = try ExecutionSchedule(parsing: "0x2")
    #expect(Workload.log([1, 4], .schedule(waitsForTwo)).log == [2, 2, 1, 2, 2])
  }

  @Test func `the recorded schedule makes the same choices as the seed`() {
    for seed in 0..<300 as Range<UInt64> {
      let drawn = Workload.log([3, 2, 4, 1], .seed(seed, .byTurns))
      let again = Workload.log([3, 2, 4, 1], .schedule(drawn.1.schedule))
      #expect(again.log == drawn.log)
      #expect(again.1.fingerprint == drawn.1.fingerprint)
    }
  }

  @Test func `every schedule of up to two overtakings runs every job`() {
    let kinds: [ExecutionSchedule.Overtaking.Kind] = [
      .firstWaits, .firstWaitsFor(2), .runs(1), .runs(2),
    ]
    for first in 0..<8 {
      for second in 0..<8 {
        for kind in kinds {
          let schedule = ExecutionSchedule([
            .init(decision: first, kind: kind), .init(decision: second, kind: kind),
          ])
          #expect(
            Workload.log([2, 3, 2], .schedule(schedule)).log.sorted() == [1, 1, 2, 2, 2, 3, 3])
        }
      }
    }
  }

  @Test func `other decisions have another fingerprint`() {
    var fingerprints: [Fingerprint: [Int]] = [:]
    for seed in 0..<2_000 as Range<UInt64> {
      let (log, trace) = Workload.log([2, 2, 2], .seed(seed, .byTurns))
      #expect(fingerprints[trace.fingerprint, default: log] == log)
      fingerprints[trace.fingerprint] = log
    }
    // All orders of two jobs each of three tasks: 6! / (2! 2! 2!).
    #expect(Set(fingerprints.values).count == 90)
  }

  // MARK: Draws

  /// Draws so many times, one of two events with a probability, and runs a task between.
  private func draws(
    _ count: Int, _ source: ScheduleSource, recording: ExploredRun.Recording = .fingerprint,
    probability: Double = 0.5
  ) -> (drawn: [Int], Explorer) {
    var explorer = Explorer(source, recording: recording)
    let drawn = (0..<count).map { number in
      explorer.runs(explorer.add(taskID: UInt64(number % 2 + 1)))
      return explorer.draw(2, probability, at: Int64(number)) { "event \($0)" }
    }
    return (drawn, explorer)
  }

  @Test func `the plain schedule draws the usual`() {
    let (drawn, explorer) = draws(5, .schedule(.plain))
    #expect(drawn == [0, 0, 0, 0, 0])
    #expect(explorer.trace.decisions == 5)
    #expect(explorer.trace.schedule == .plain)
  }

  @Test(arguments: [
    ("1+1", [0, 1, 0]), ("1+2", [0, 2, 0]), ("1+9", [0, 2, 0]), ("1", [0, 1, 0]),
    ("1x2", [0, 1, 0]), ("0+1.2+2", [1, 0, 2]), ("3+1", [0, 0, 0]),
  ])
  func `an overtaking at a draw is the event with its number`(text: String, expected: [Int]) throws
  {
    let schedule = try ExecutionSchedule(parsing: text)
    #expect(draws(3, .schedule(schedule)).drawn == expected)
  }

  @Test func `the recorded schedule draws the same as the seed, and so do jobs that keep it`() {
    for seed in 0..<100 as Range<UInt64> {
      let (drawn, explorer) = draws(8, .seed(seed, .byTurns), recording: .jobs)
      #expect(draws(8, .schedule(explorer.trace.schedule)).drawn == drawn)
      let trace = explorer.trace
      #expect(trace.draws.count == drawn.count { $0 > 0 })
      let all = Set(trace.draws.keys)
      let order = JobOrder(jobs: trace.jobs, draws: trace.draws, kept: all)
      #expect(draws(8, .jobs(order)).drawn == drawn)
      // Without one of them, that one alone is the usual.
      guard let name = all.min() else { continue }
      let fewer = JobOrder(jobs: trace.jobs, draws: trace.draws, kept: all.subtracting([name]))
      let (rest, keeping) = draws(8, .jobs(fewer))
      #expect(zip(rest, drawn).count { $0 != $1 } == 1)
      #expect(keeping.kept?.overtakings.count == all.count - 1)
    }
  }

  @Test func `the probability says how often an event is drawn`() {
    let never = (0..<50).flatMap { draws(10, .seed($0, .byTurns), probability: 0).drawn }
    #expect(never.allSatisfy { $0 == 0 })
    let always = (0..<50).flatMap { draws(10, .seed($0, .byTurns), probability: 1).drawn }
    #expect(Set(always) == [1, 2])
    let rarely = (0..<200).flatMap { draws(10, .seed($0, .byTurns), probability: 0.1).drawn }
    #expect((100..<300).contains(rarely.count { $0 > 0 }))
  }

  @Test func `a step tells what was drawn`() throws {
    let schedule = try ExecutionSchedule(parsing: "1+2")
    var (_, explorer) = draws(3, .schedule(schedule), recording: .steps)
    #expect(explorer.takeSteps().map(\.description) == ["+1e-09 seconds  event 2"])
  }
}
