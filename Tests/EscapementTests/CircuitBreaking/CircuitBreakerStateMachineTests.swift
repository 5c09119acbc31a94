import TestSupport
import Testing

@testable import Escapement

@Suite struct CircuitBreakerStateMachineTests {
  enum Event: CaseIterable { case call, success, failure, ignored, wait, isolate, reset }

  @Test(arguments: [1, 2]) func `every sequence of up to six events has the results of the model`(
    probes: Int
  ) throws {
    for events in sequences(of: Event.allCases, upTo: 6) {
      try check(events, probes: probes)
    }
  }

  /// Compares the machine with a model that keeps all calls, and looks at each of them.
  ///
  /// The breaker opens after two failures of the last three calls, for 10 ns. The oldest call that runs
  /// ends.
  private func check(_ events: [Event], probes: Int) throws {
    var machine = CircuitBreakerStateMachine(
      window: .count(CountWindow(failures: 2, calls: 3)), openDuration: 10, probes: probes)
    var now: Int64 = 0
    var running: [(generation: Int, isCounted: Int)] = []
    var epoch = 0
    var state = CircuitState.closed
    var openedAt: Int64 = 0
    var outcomes: [Bool] = []
    var probeCount = 0
    func enter(_ new: CircuitState) {
      (state, epoch, outcomes, probeCount) = (new, epoch + 1, [], 0)
    }
    for event in events {
      switch event {
      case .call:
        if state == .open, now >= openedAt + 10 { enter(.halfOpen) }
        let admission = machine.admit(now: now)
        switch state {
        case .closed,
          .halfOpen where probeCount < probes:
          guard case .admitted(let generation) = admission else {
            throw Violation(description: "refused, \(events)")
          }
          if state == .halfOpen { probeCount += 1 }
          running.append((generation, epoch))
        case .halfOpen, .isolated:
          try require(admission == .refused(retryAfter: nil), "admitted, \(events)")
        case .open:
          try require(
            admission == .refused(retryAfter: openedAt + 10 - now), "\(admission), \(events)")
        }
      case .success, .failure, .ignored:
        guard !running.isEmpty else { continue }
        let call = running.removeFirst()
        let outcome: CircuitBreakerStateMachine.Outcome =
          event == .success ? .success : event == .failure ? .failure : .ignored
        machine.finished(outcome, of: call.generation, now: now)
        guard call.isCounted == epoch else { continue }
        if event == .ignored {
          if state == .halfOpen { probeCount -= 1 }
          continue
        }
        outcomes.append(event == .failure)
        let failures = state == .halfOpen ? 1 : 2
        if outcomes.suffix(3).filter(\.self).count >= failures {
          openedAt = now
          enter(.open)
        } else if state == .halfOpen, outcomes.count == probes {
          enter(.closed)
        }
      case .wait:
        now += 5
      case .isolate:
        machine.isolate()
        enter(.isolated)
      case .reset:
        machine.reset()
        enter(.closed)
      }
      try require(machine.state == state, "\(machine.state) and not \(state), \(events)")
    }
  }

  @Test func `the rate counts the calls of the window, which moves in tenths`() {
    var window = RateWindow(percent: 50, minimumCalls: 4, window: 100)
    // The slice of the two failures leaves the window after 99.
    let calls: [(at: Int64, isFailure: Bool)] = [
      (0, true), (9, true), (50, false), (99, false), (100, true), (1_000_000, false), (.max, true),
    ]
    let tripped = calls.map { window.record(isFailure: $0.isFailure, at: $0.at) }
    #expect(tripped == [false, false, false, true, false, false, false])
  }

  @Test func `the rate is that of a list of all calls, whatever the times`() {
    forAllSeeds { generator in
      let percent = Int.random(in: 1...100, using: &generator)
      let minimum = Int.random(in: 1...6, using: &generator)
      var window = RateWindow(percent: percent, minimumCalls: minimum, window: 100)
      var calls: [(at: Int64, isFailure: Bool)] = []
      var now: Int64 = 0
      for _ in 0..<60 {
        now += Int64.random(in: 0...Int64.random(in: 1...150, using: &generator), using: &generator)
        let isFailure = Bool.random(using: &generator)
        calls.append((now, isFailure))
        let counted = calls.filter { $0.at / 10 > now / 10 - 10 }
        let failures = counted.filter(\.isFailure).count
        let expected = counted.count >= minimum && failures * 100 >= percent * counted.count
        let tripped = window.record(isFailure: isFailure, at: now)
        try require(tripped == expected, "at \(now)")
      }
    }
  }

  @Test func `a clock that moves back neither opens nor closes a breaker`() {
    var machine = CircuitBreakerStateMachine(
      window: .count(CountWindow(failures: 1, calls: 1)), openDuration: 10, probes: 1)
    guard case .admitted(let generation) = machine.admit(now: 100) else { return }
    machine.finished(.failure, of: generation, now: 50)
    let admissions = [-1_000, 109, 110].map { machine.admit(now: $0) }
    #expect(
      admissions == [
        .refused(retryAfter: 10), .refused(retryAfter: 1), .admitted(generation: generation + 2),
      ])
  }

  @Test func `a breaker that opens at the end of the range stays open`() {
    var machine = CircuitBreakerStateMachine(
      window: .count(CountWindow(failures: 1, calls: 1)), openDuration: .max, probes: 1)
    guard case .admitted(let generation) = machine.admit(now: 5) else { return }
    machine.finished(.failure, of: generation, now: 5)
    let admission = machine.admit(now: .max - 1)
    #expect(admission == .refused(retryAfter: 1))
  }
}
