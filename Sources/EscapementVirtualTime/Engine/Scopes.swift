import CVirtualTime
import _EscapementCore

/// The scopes that are alive.
enum Scopes {
  private struct State {
    var alive: [UInt32: Scope] = [:]
    /// Numbers grow and are not used again, so that a late job finds no stranger's scope.
    var nextNumber = UInt32(cvt_outside) + 1
  }

  private static let state = Lock(State())

  // Looked at on every enqueue outside, hence not behind the lock.
  static var isEmpty: Bool { cvt_scopes_alive() == 0 }

  /// Starts a scope, or returns `nil` when too many are alive.
  static func begin(_ options: VirtualTimeOptions) -> Scope? {
    state.withLock { state in
      guard state.alive.count < Int(cvt_max_scopes) / 2 else { return nil }
      while state.nextNumber <= UInt32(cvt_outside) || cvt_clocks_taken(state.nextNumber) {
        state.nextNumber &+= 1
      }
      let scope = Scope(number: state.nextNumber, options: options)
      state.nextNumber &+= 1
      state.alive[scope.number] = scope
      cvt_add_to_scopes(1)
      cvt_clocks_begin(
        scope.number, Nanoseconds(roundingUp: options.wallClockStart),
        options.standardClocks == .virtual && Platform.virtualizesStandardClocks)
      return scope
    }
  }

  /// Ends a scope; one that is not forgotten goes on to take the jobs of its tasks.
  static func end(_ scope: Scope, forgetting: Bool) {
    state.withLock { state in
      cvt_clocks_end(scope.number)
      guard forgetting else { return }
      state.alive[scope.number] = nil
      cvt_add_to_scopes(-1)
      if state.alive.isEmpty { cvt_forget_tasks() }
    }
  }

  /// The scope with this number, if it is alive.
  static func find(_ number: UInt32) -> Scope? {
    guard number > UInt32(cvt_outside) else { return nil }
    return state.withLock { $0.alive[number] }
  }
}
