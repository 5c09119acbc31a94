/// The decisions of a circuit breaker about calls.
public enum CircuitState: String, CaseIterable, Codable, Sendable {
  /// Calls are let through.
  case closed
  /// Calls are refused, for a time.
  case open
  /// A few calls are let through as probes, and the others are refused.
  case halfOpen
  /// Calls are refused, until the breaker is reset.
  case isolated
}

/// The decisions of a circuit breaker.
///
/// Instants are nanoseconds since the breaker was created. Each change of the state begins a new
/// *generation*. The outcome of a call counts only in the generation in which the call began, so
/// that a slow call of the past does not open a breaker that has closed since.
struct CircuitBreakerStateMachine {
  enum Outcome: CaseIterable {
    case success, failure
    /// The call says nothing, for example because it was cancelled.
    case ignored
  }

  private enum State {
    case closed
    case open(until: Int64)
    case halfOpen(running: Int, succeeded: Int)
    case isolated
  }

  private var current = State.closed
  private var generation = 0
  private var window: OutcomeWindow
  private var openDuration: Int64
  private var probes: Int
  /// The latest instant that the machine was told, so that time does not move back.
  private var latest: Int64 = 0

  init(window: OutcomeWindow, openDuration: Int64, probes: Int) {
    self.window = window
    self.openDuration = openDuration
    self.probes = probes
  }

  var state: CircuitState {
    switch current {
    case .closed: .closed
    case .open: .open
    case .halfOpen: .halfOpen
    case .isolated: .isolated
    }
  }

  enum Admission: Equatable {
    /// The call may begin; its outcome belongs to this generation.
    case admitted(generation: Int)
    /// The call is refused. `retryAfter` is the time until the next probe, if it is known.
    case refused(retryAfter: Int64?)
  }

  /// A call wants to begin.
  mutating func admit(now: Int64) -> Admission {
    latest = max(latest, now)
    if case .open(let end) = current, latest >= end { enter(.halfOpen(running: 0, succeeded: 0)) }
    switch current {
    case .closed:
      return .admitted(generation: generation)
    case .open(let end):
      return .refused(retryAfter: end - latest)
    case .halfOpen(let running, let succeeded):
      guard running + succeeded < probes else { return .refused(retryAfter: nil) }
      current = .halfOpen(running: running + 1, succeeded: succeeded)
      return .admitted(generation: generation)
    case .isolated:
      return .refused(retryAfter: nil)
    }
  }

  /// A call has ended.
  mutating func finished(_ outcome: Outcome, of generation: Int, now: Int64) {
    latest = max(latest, now)
    guard generation == self.generation else { return }
    switch (current, outcome) {
    case (.closed, .ignored), (.open, _), (.isolated, _):
      break
    case (.closed, let outcome):
      if window.record(isFailure: outcome == .failure, at: latest) { open() }
    case (.halfOpen(let running, let succeeded), .ignored):
      current = .halfOpen(running: running - 1, succeeded: succeeded)
    case (.halfOpen, .failure):
      open()
    case (.halfOpen(let running, let succeeded), .success):
      if succeeded + 1 < probes {
        current = .halfOpen(running: running - 1, succeeded: succeeded + 1)
      } else {
        reset()
      }
    }
  }

  /// Refuses all calls until `reset()`.
  mutating func isolate() { enter(.isolated) }

  /// Forgets all calls, and lets calls through.
  mutating func reset() {
    window.removeAll()
    enter(.closed)
  }

  /// Goes on with other numbers, without the calls that were counted.
  ///
  /// An open breaker stays open for the time that it has. Probes begin anew.
  mutating func replace(window: OutcomeWindow, openDuration: Int64, probes: Int) {
    (self.window, self.openDuration, self.probes) = (window, openDuration, probes)
    if case .halfOpen = current { enter(.halfOpen(running: 0, succeeded: 0)) }
  }

  private mutating func open() {
    let (end, overflow) = latest.addingReportingOverflow(openDuration)
    enter(.open(until: overflow ? .max : end))
  }

  private mutating func enter(_ state: State) {
    current = state
    generation += 1
  }
}
