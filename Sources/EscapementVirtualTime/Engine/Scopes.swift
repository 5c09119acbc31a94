import CVirtualTime
import _EscapementCore

/// The scopes that are alive.
enum Scopes {
  private struct State {
    var alive: [UInt32: Scope] = [:]
    /// The scopes of which nothing must ever go on.
    var givenUp: Set<UInt32> = []
    /// The shortest limit of those scopes for which the watchdog looks; `nil` while it sleeps.
    var shortestLimit: Duration?
    /// The number of the next scope when the watchdog has looked last.
    var lastLook: UInt32 = 0
    /// Numbers grow and are not used again, so that a late job finds no other scope.
    var nextNumber = UInt32(cvt_outside) + 1
  }

  private static let state = Lock(State())

  /// The remains of a scope that has ended.
  enum Remains {
    /// Nothing.
    case nothing
    /// Tasks that their cancellation has not ended. They go on outside, for a while.
    case tasks
    /// Code that never ends: its body, a thread of it, or what was ready again and again. It must
    /// not go on in real time, where its surroundings are gone.
    case codeWithoutEnd
  }

  /// Whether no scope is alive or has left something.
  ///
  /// Looked at on every enqueue outside, hence not behind the lock.
  static var isEmpty: Bool { cvt_get(cvt_scopes_alive) == 0 }

  /// Starts a scope, or returns `nil` when too many are alive.
  static func begin(_ options: VirtualTimeOptions, name: String = "") -> Scope? {
    let (scope, mustWake) = state.withLock { state -> (Scope?, Bool) in
      guard state.alive.count < Int(cvt_max_scopes) / 2 else {
        return (nil, false)
      }
      while state.nextNumber <= UInt32(cvt_outside) || cvt_clocks_taken(state.nextNumber) {
        state.nextNumber &+= 1
      }
      let scope = Scope(number: state.nextNumber, name: name, options: options)
      state.nextNumber &+= 1
      state.alive[scope.number] = scope
      cvt_add(cvt_scopes_alive, 1)
      cvt_scope_begins(scope.number)
      cvt_clocks_begin(
        scope.number, Nanoseconds(roundingUp: options.wallClock),
        options.standardClocks == .virtual && Platform.virtualizesStandardClocks,
        Nanoseconds(roundingUp: options.clockTick))
      scope.beginReach()
      let limit = options.shortestLimit
      if let shortest = state.shortestLimit, limit >= shortest { return (scope, false) }
      state.shortestLimit = limit
      return (scope, true)
    }
    if mustWake { Watchdog.wake() }
    return scope
  }

  /// All that are alive.
  static var all: [Scope] { state.withLock { Array($0.alive.values) } }

  /// How long the watchdog waits now; `nil` if until it is woken, since there has been no scope
  /// lately.
  static func interval() -> Nanoseconds? {
    state.withLock { state in
      if let shortest = state.alive.values.map(\.options.shortestLimit).min() {
        state.shortestLimit = shortest
      } else if state.lastLook == state.nextNumber {
        state.shortestLimit = nil
      }
      state.lastLook = state.nextNumber
      return state.shortestLimit.map {
        min(Watch.slice(of: Nanoseconds(roundingUp: $0)), ProcessorShare.interval)
      }
    }
  }

  static func end(_ scope: Scope, leaving remains: Remains) {
    state.withLock { state in
      cvt_clocks_end(scope.number)
      let body = cvt_scope_ends(scope.number, remains != .nothing)
      state.alive[scope.number] = nil
      switch remains {
      case .nothing:
        cvt_add(cvt_scopes_alive, -1)
        if isEmpty { cvt_forget_tasks(body) }
      case .tasks: break
      case .codeWithoutEnd: state.givenUp.insert(scope.number)
      }
    }
  }

  /// The scopes whose queues and threads are virtual.
  static var reached: [Scope] { state.withLock { $0.alive.values.filter(\.reaches) } }

  /// Whether nothing of the scope with this number must ever go on.
  static func isGivenUp(_ number: UInt32) -> Bool { state.withLock { $0.givenUp.contains(number) } }

  /// The scope with this number, if it is alive.
  static func find(_ number: UInt32) -> Scope? {
    guard number > UInt32(cvt_outside) else { return nil }
    return state.withLock { $0.alive[number] }
  }
}
