extension ExecutionSchedule {
  /// Finds a schedule with fewer overtakings that fails as well.
  ///
  /// Removes overtakings in ever smaller parts (delta debugging, Zeller and Hildebrandt, 2002), tries to
  /// let one task wait in place of many choices, and at last tries every single overtaking and, within
  /// the budget, every pair.
  ///
  /// - Parameters:
  ///   - decisions: How many decision points the failing run had.
  ///   - budget: How many schedules may be tried. A failing run of more than 2,500 decision points lowers
  ///     it, so that the search ends after about 5,000,000 decisions: a count, so that the result does not depend
  ///     on the speed of the machine.
  ///   - fails: Runs a schedule, and returns whether it fails. It is not called twice for the same one.
  /// - Returns: The smallest schedule that was found to fail, and how many were tried.
  package func shrunk(
    decisions: Int, budget: Int, fails: (ExecutionSchedule) async throws -> Bool
  ) async rethrows -> (schedule: ExecutionSchedule, attempts: Int) {
    var search = Shrinking(
      best: self, decisions: decisions, budget: min(budget, 5_000_000 / max(1, decisions)))
    try await search.removeParts(fails)
    try await search.letTasksWait(fails)
    try await search.removeParts(fails)
    try await search.trySmallOnes(fails)
    return (search.best, search.tried.count)
  }

  /// The schedule without some of its overtakings.
  func removing(_ range: Range<Int>) -> ExecutionSchedule {
    var rest = overtakings
    rest.removeSubrange(range)
    return ExecutionSchedule(rest)
  }

  /// Whether the schedule is simpler than another one: fewer overtakings, then simpler ones.
  func isSimpler(than other: ExecutionSchedule) -> Bool {
    weight.lexicographicallyPrecedes(other.weight)
  }

  private var weight: [Int] {
    let kinds = overtakings.map { overtaking in
      switch overtaking.kind {
      case .firstWaits: 1
      case .firstWaitsFor(let count): 1 + count
      case .runs(let places): 1 + places
      }
    }
    return [overtakings.count, kinds.reduce(0, +)] + overtakings.map(\.decision)
  }
}

/// The state of a search for a smaller schedule.
private struct Shrinking {
  var best: ExecutionSchedule
  let decisions: Int
  let budget: Int
  var tried: Set<ExecutionSchedule> = []

  /// Tries a schedule, and takes it if it is simpler and fails.
  mutating func attempt(
    _ schedule: ExecutionSchedule, _ fails: (ExecutionSchedule) async throws -> Bool
  ) async rethrows -> Bool {
    guard tried.count < budget, schedule.isSimpler(than: best), tried.insert(schedule).inserted,
      try await fails(schedule)
    else { return false }
    best = schedule
    return true
  }

  mutating func removeParts(_ fails: (ExecutionSchedule) async throws -> Bool) async rethrows {
    if try await attempt(.plain, fails) { return }
    var size = max(1, best.overtakings.count / 2)
    while true {
      // From the end: what comes after the failure has no effect.
      var end = best.overtakings.count
      var hasRemoved = false
      while end > 0 {
        let start = max(0, end - size)
        if try await attempt(best.removing(start..<end), fails) { hasRemoved = true }
        end = start
      }
      if size == 1, !hasRemoved { return }
      size = max(1, min(size / 2, best.overtakings.count / 2))
      if best.overtakings.isEmpty || tried.count >= budget { return }
    }
  }

  mutating func letTasksWait(_ fails: (ExecutionSchedule) async throws -> Bool) async rethrows {
    var index = 0
    while index < best.overtakings.count, tried.count < budget {
      let decision = best.overtakings[index].decision
      let kinds: [ExecutionSchedule.Overtaking.Kind] = [
        .firstWaits, .firstWaitsFor(1), .firstWaitsFor(2), .firstWaitsFor(3), .runs(1),
      ]
      search: for kind in kinds {
        let waiting = ExecutionSchedule.Overtaking(decision: decision, kind: kind)
        // One that waits may stand for all choices that follow, or for some of them.
        let (before, after) = (best.overtakings[..<index], best.overtakings[(index + 1)...])
        for kept in Set([0, after.count / 2, after.count - 1, after.count]).sorted()
        where kept >= 0 {
          for rest in [after.suffix(kept), after.prefix(kept)] {
            if try await attempt(ExecutionSchedule(before + [waiting] + rest), fails) {
              break search
            }
          }
        }
      }
      index += 1
    }
  }

  mutating func trySmallOnes(_ fails: (ExecutionSchedule) async throws -> Bool) async rethrows {
    let kinds: [ExecutionSchedule.Overtaking.Kind] = [
      .firstWaits, .firstWaitsFor(1), .runs(1), .firstWaitsFor(2), .runs(2),
    ]
    guard best.overtakings.count >= 1 else { return }
    for kind in kinds {
      for decision in 0..<decisions {
        let single = ExecutionSchedule([.init(decision: decision, kind: kind)])
        if try await attempt(single, fails) { return }
        if tried.count >= budget { return }
      }
    }
    guard best.overtakings.count > 2 else { return }
    for kind in kinds.prefix(3) {
      for second in 1..<max(2, decisions) {
        for first in 0..<second {
          let pair = ExecutionSchedule([
            .init(decision: first, kind: kind), .init(decision: second, kind: kind),
          ])
          if try await attempt(pair, fails) { return }
          if tried.count >= budget { return }
        }
      }
    }
  }
}
