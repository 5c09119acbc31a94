import Testing

@testable import EscapementVirtualTime

/// What must hold whatever happens: all sequences of a few events, each followed by as many steps
/// as it takes until the scope waits.
@Suite struct ScopeStateEnumerationTests {
  private enum Event: String, CaseIterable {
    case armDue, armSoon, armLater, settle, moveBy, advance, run, openHold, closeHold, step
  }

  /// A list of what sleeps and who moves time, as simple as can be.
  private struct Reference {
    var sleeping: [(number: Int, deadline: Nanoseconds)] = []
    var drivers: [(number: Int, goal: Driver.Goal)] = []
    var holds = 0
    var now: Nanoseconds = 0

    var next: Int? {
      sleeping.indices.min { sleeping[$0].deadline < sleeping[$1].deadline }
    }
  }

  @Test(arguments: [VirtualTimeOptions.Mode.automatic, .manual])
  func `every sequence of five events does what the description says`(
    mode: VirtualTimeOptions.Mode
  ) {
    var failures: [String] = []
    var checked = 0
    func extend(_ events: [Event], _ state: ScopeState, _ reference: Reference) {
      checked += 1
      var (last, lastReference) = (state, reference)
      while let steps = Self.step(&last, &lastReference, mode) {
        if let failure = steps.failure {
          failures.append("\(events.map(\.rawValue)): \(failure)")
          break
        }
      }
      guard events.count < 5 else { return }
      for event in Event.allCases {
        var (state, reference) = (state, reference)
        let number = events.count
        switch event {
        case .armDue, .armSoon, .armLater:
          let deadline = reference.now + (event == .armDue ? 0 : event == .armSoon ? 1 : 2)
          state.arm(number, until: deadline)
          reference.sleeping.append((number, deadline))
        case .settle, .moveBy, .advance, .run:
          let goal: Driver.Goal =
            switch event {
            case .settle: .settle
            case .moveBy: .move(by: 1)
            case .advance: .advance(to: reference.now + 1)
            default: .run(limit: 1)
            }
          state.drive(number, goal)
          reference.drivers.append((number, goal))
        case .openHold:
          state.openHold()
          reference.holds += 1
        case .closeHold:
          guard reference.holds > 0 else { continue }
          _ = state.closeHold()
          reference.holds -= 1
        case .step:
          if let failure = Self.step(&state, &reference, mode)?.failure {
            failures.append("\(events.map(\.rawValue)): \(failure)")
            continue
          }
        }
        extend(events + [event], state, reference)
      }
    }
    var state = ScopeState(options: VirtualTimeOptions(mode: mode))
    _ = state.startDraining()
    extend([], state, Reference())
    #expect(checked > 40_000)
    #expect(failures.count == 0, "such as \(failures.first ?? "none")")
  }

  /// Makes one step with both; `nil` when the scope rightly waits.
  private static func step(
    _ state: inout ScopeState, _ reference: inout Reference, _ mode: VirtualTimeOptions.Mode
  ) -> (failure: String?, Void)? {
    let step = state.nextStep()
    let expected = expectedStep(&reference, mode)
    guard step == expected, state.time.now == reference.now else {
      return ("\(step) at \(state.time.now) instead of \(expected) at \(reference.now)", ())
    }
    if step.hasPrefix("wait") { return nil }
    return (nil, ())
  }

  private static func expectedStep(
    _ reference: inout Reference, _ mode: VirtualTimeOptions.Mode
  ) -> String {
    if reference.holds > 0 { return "wait held" }
    let next = reference.next
    func wake(_ index: Int) -> String {
      let (number, deadline) = reference.sleeping.remove(at: index)
      reference.now = max(reference.now, deadline)
      return "wake \(number)"
    }
    if let next, reference.sleeping[next].deadline <= reference.now { return wake(next) }
    guard let driver = reference.drivers.last else {
      if mode == .automatic, let next { return wake(next) }
      return "wait stalled"
    }
    switch driver.goal {
    case .move(by: let distance):
      let start = reference.now
      if let next, reference.sleeping[next].deadline <= start + distance {
        let index = reference.drivers.count - 1
        defer { reference.drivers[index].goal = .move(by: distance - (reference.now - start)) }
        return wake(next)
      }
      reference.now += distance
    case .advance(let target):
      if let next, reference.sleeping[next].deadline <= target { return wake(next) }
      reference.now = max(reference.now, target)
    case .run(let limit):
      if let next {
        if limit == 0 {
          reference.drivers.removeLast()
          return "limitReached \(driver.number)"
        }
        reference.drivers[reference.drivers.count - 1].goal = .run(limit: limit - 1)
        return wake(next)
      }
    case .settle, .steps:
      break
    }
    reference.drivers.removeLast()
    return "done \(driver.number)"
  }
}
