import TestSupport
import Testing

@testable import EscapementTesting

@Suite struct DoublesScopeStateMachineTests {
  typealias State = DoublesScopeStateMachine<Int, Int>

  private enum Event: CaseIterable { case keep, add, end, endWithoutVerifying, next }

  /// The accepted items, the returned items, and whether the end has been reached.
  private struct Run {
    var state = State()
    var accepted: (failures: [Int], checks: [Int]) = ([], [])
    var delivered: (failures: [Int], checks: [Int]) = ([], [])
    var verifies: Bool?
    var hasEnded = false
  }

  /// Every sequence of up to seven events.
  @Test
  func
    `each accepted failure and check is returned once, failures first, and nothing is accepted after the end`()
  {
    let exploration = Exploration(from: Run(), length: 7, events: { _ in Event.allCases }) {
      event, run, left in step(&run, event, number: left)
    }
    #expect(exploration.states == (0...7).reduce(0) { sum, depth in sum + power(5, depth) })
  }

  private func step(_ run: inout Run, _ event: Event, number: Int) {
    switch event {
    case .keep:
      let isKept = run.state.keep(number)
      #expect(isKept == !run.hasEnded)
      if isKept { run.accepted.failures.append(number) }
    case .add:
      let isKept = run.state.add(number)
      #expect(isKept == (run.verifies == nil))
      if isKept { run.accepted.checks.append(number) }
    case .end, .endWithoutVerifying:
      run.state.end(verifying: event == .end)
      if run.verifies == nil { run.verifies = event == .end }
    case .next:
      next(&run)
    }
  }

  private func next(_ run: inout Run) {
    let openFailures = Array(run.accepted.failures.dropFirst(run.delivered.failures.count))
    let openChecks =
      run.verifies == true ? Array(run.accepted.checks.dropFirst(run.delivered.checks.count)) : []
    switch run.state.next() {
    case .report(let failures):
      #expect(run.verifies != nil)
      #expect(failures == openFailures && !failures.isEmpty)
      run.delivered.failures += failures
    case .verify(let checks):
      #expect(openFailures.isEmpty)
      #expect(checks == openChecks && !checks.isEmpty)
      run.delivered.checks += checks
    case nil:
      #expect(run.verifies == nil || openFailures.isEmpty && openChecks.isEmpty)
      if run.verifies != nil { run.hasEnded = true }
    }
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}
