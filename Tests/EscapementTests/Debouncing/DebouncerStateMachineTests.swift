import TestSupport
import Testing

@testable import Escapement

@Suite struct DebouncerStateMachineTests {
  private struct Settings {
    var delay = 10
    var maximumWait: Int?
    var edges: Debouncer.Edges = .trailing
  }

  /// Returns the actions that run, as "action@time", when actions come at times in whole seconds.
  ///
  /// The sleeper wakes on time. If `lazily`, it wakes only when the next action comes.
  private func runs(
    _ times: [Int], _ settings: Settings, lazily: Bool = false
  ) -> [String] {
    var machine = DebouncerStateMachine<Int>(
      delay: .seconds(settings.delay), maximumWait: settings.maximumWait.map { .seconds($0) },
      edges: settings.edges)
    var sleeper: (id: Int, dueAt: Duration)?
    var runs: [String] = []
    func ran(_ action: Int?, _ now: Duration) {
      if let action { runs.append("\(action)@\(now.components.seconds)") }
    }
    func wake(until time: Duration) {
      while let (id, dueAt) = sleeper, dueAt <= time {
        switch machine.wake(id, now: dueAt) {
        case .sleep(let next): sleeper = (id, next)
        case .run: ran(machine.takeDue(id, now: dueAt) { _ in true }, dueAt)
        case .end: sleeper = nil
        }
      }
    }
    for (index, time) in times.enumerated() {
      let now = Duration.seconds(time)
      if !lazily { wake(until: now) }
      let execution = machine.execute(index + 1, now: now)
      ran(execution.overdue, now)
      ran(execution.leading, now)
      if let begun = execution.begun { sleeper = begun }
    }
    wake(until: .seconds(1_000_000))
    return runs
  }

  @Test func `the last action of a burst runs one delay after it came`() {
    #expect(runs([0], Settings()) == ["1@10"])
    #expect(runs([0, 5, 14, 40, 49], Settings()) == ["3@24", "5@59"])
  }

  @Test
  func `an action one unit before the end prolongs the burst, and one at the end begins the next`()
  {
    #expect(runs([0, 9], Settings()) == ["2@19"])
    #expect(runs([0, 10], Settings()) == ["1@10", "2@20"])
    #expect(runs([0, 10], Settings(), lazily: true) == ["1@10", "2@20"])
  }

  @Test func `with a leading edge only the first action of a burst runs, at once`() {
    let settings = Settings(edges: .leading)
    #expect(runs([0, 5, 14, 40], settings) == ["1@0", "4@40"])
    #expect(runs([0, 9, 18, 28], settings) == ["1@0", "4@28"])
  }

  @Test
  func `with both edges the first action runs at once and the last one at the end, but none twice`()
  {
    let settings = Settings(edges: [.leading, .trailing])
    #expect(runs([0], settings) == ["1@0"])
    #expect(runs([0, 5, 8], settings) == ["1@0", "3@18"])
    #expect(runs([0, 5, 15], settings) == ["1@0", "2@15", "3@15"])
  }

  @Test func `a maximum wait bounds how long an action is kept`() {
    let settings = Settings(maximumWait: 20)
    #expect(runs([0, 8, 16, 24, 32], settings) == ["3@20", "5@42"])
    // One action comes a unit before the end of the wait, and one at its end.
    #expect(runs([0, 8, 16, 19], settings) == ["4@20"])
    #expect(runs([0, 8, 16, 20], settings) == ["3@20", "4@30"])
  }

  @Test func `after a maximum wait the next action of the burst is not a leading one`() {
    let settings = Settings(maximumWait: 20, edges: [.leading, .trailing])
    #expect(runs([0, 8, 16, 24, 32, 40], settings) == ["1@0", "4@28", "6@50"])
  }

  /// The reference model, which computes one burst after the other from all times.
  private func model(_ times: [Int], _ settings: Settings) -> [String] {
    var expected: [String] = []
    var kept: (action: Int, latest: Int)?
    var quiet = Int.min
    // Without a trailing edge, the burst ends after the maximum wait.
    var limit = Int.max
    for (index, time) in times.enumerated() {
      let action = index + 1
      if let due = kept.map({ min(quiet, $0.latest) }), due <= time {
        expected.append("\(kept!.action)@\(due)")
        kept = nil
        if !settings.edges.contains(.leading) { quiet = .min }
      }
      if min(quiet, limit) <= time, settings.edges.contains(.leading) {
        expected.append("\(action)@\(time)")
        if settings.edges == .leading { limit = settings.maximumWait.map { time + $0 } ?? .max }
      } else if settings.edges.contains(.trailing) {
        kept = (action, kept?.latest ?? settings.maximumWait.map { time + $0 } ?? .max)
      }
      quiet = time + settings.delay
    }
    if let kept { expected.append("\(kept.action)@\(min(quiet, kept.latest))") }
    return expected
  }

  @Test func `of random bursts the same actions run as in the model`() {
    forAllSeeds { generator in
      let maximumWait = Int.random(in: 10...40, using: &generator)
      let settings = Settings(
        maximumWait: Bool.random(using: &generator) ? maximumWait : nil,
        edges: [.leading, .trailing, [.leading, .trailing]].randomElement(using: &generator)!)
      var time = 0
      let times = (0..<Int.random(in: 1...15, using: &generator)).map { _ in
        time += Int.random(in: 0...14, using: &generator)
        return time
      }
      let actual = runs(times, settings)
      let expected = model(times, settings)
      try require(actual == expected, "\(settings) \(times): \(actual), but \(expected)")
    }
  }

  @Test func `after cancel no action runs, and the next one begins a new burst`() {
    var machine = DebouncerStateMachine<Int>(
      delay: .seconds(10), maximumWait: nil, edges: [.leading, .trailing])
    let id = machine.execute(1, now: .zero).begun!.id
    _ = machine.execute(2, now: .seconds(1))
    machine.cancel()
    #expect(machine.isIdle)
    #expect(machine.takeDue(id, now: .seconds(11)) { _ in true } == nil)
    #expect(machine.execute(3, now: .seconds(2)).leading == 3)
  }

  @Test func `a flushed action does not run again`() {
    var machine = DebouncerStateMachine<Int>(
      delay: .seconds(10), maximumWait: nil, edges: .trailing)
    let id = machine.execute(1, now: .zero).begun!.id
    #expect(machine.flush(now: .seconds(1)) == 1)
    #expect(machine.flush(now: .seconds(1)) == nil)
    #expect(machine.isIdle)
    #expect(machine.takeDue(id, now: .seconds(10)) { _ in true } == nil)
  }

  @Test func `an action that has to run on another actor stays kept`() {
    var machine = DebouncerStateMachine<Int>(
      delay: .seconds(10), maximumWait: nil, edges: .trailing)
    let id = machine.execute(1, now: .zero).begun!.id
    #expect(machine.takeDue(id, now: .seconds(10)) { _ in false } == nil)
    #expect(machine.takeDue(id, now: .seconds(10)) { _ in true } == 1)
  }

  @Test func `with only the leading edge, an action runs again after the maximum wait`() {
    var machine = DebouncerStateMachine<String>(
      delay: .seconds(10), maximumWait: .seconds(25), edges: .leading)
    #expect(machine.execute("first", now: .zero).leading == "first")
    for time in [9, 18] {
      #expect(machine.execute("dropped", now: .seconds(time)).leading == nil)
    }
    #expect(machine.flush(now: .seconds(20)) == nil)
    let end = Duration.seconds(25)
    #expect(machine.execute("dropped", now: end - .nanoseconds(1)).leading == nil)
    #expect(machine.execute("second", now: end).leading == "second")
    #expect(machine.execute("dropped", now: end + .seconds(9)).leading == nil)
  }
}
