extension ExecutionSchedule {
  /// Finds a schedule with fewer overtakings that fails as well.
  ///
  /// Removes overtakings in ever smaller parts, tries to let one task wait in place of many
  /// choices, and lowers the places of overtakings: fewer jobs are overtaken, and drawn events have
  /// lower numbers. Of few overtakings, it removes one and moves those after it. At last it tries
  /// single overtakings and pairs near those that are left.
  ///
  /// - Parameters:
  ///   - decisions: How many decision points the failing run had.
  ///   - budget: How many schedules may be tried. A failing run of more than 2,500 decision points
  ///     lowers it, so that the search ends after about 5,000,000 decisions: a count, so that the
  ///     result does not depend on the speed of the machine.
  ///   - fails: Runs a schedule, and returns whether it fails. It is not called twice for the same
  ///     one.
  /// - Returns: The smallest schedule that was found to fail, and how many were tried.
  package func shrunk(
    decisions: Int, budget: Int, fails: (ExecutionSchedule) async throws -> Bool
  ) async rethrows -> (schedule: ExecutionSchedule, attempts: Int) {
    var search = Shrinking(
      best: self, decisions: decisions, budget: min(budget, 5_000_000 / max(1, decisions)))
    try await search.removeParts(fails)
    try await search.letTasksWait(fails)
    try await search.removeParts(fails)
    try await search.lowerPlaces(fails)
    try await search.closeGaps(fails)
    try await search.trySmallOnes(fails)
    try await search.lowerPlaces(fails)
    return (search.best, search.tried.count)
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
  /// How many decision points are tried alone and in pairs.
  private static let nearDecisions = 32
  /// Of how many overtakings some are moved, and by how many decisions.
  private static let (mostMoved, farthestMove) = (16, 8)

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
    _ = try await smallestPart(of: best.overtakings) {
      tried.count < budget ? try await attempt(ExecutionSchedule($0), fails) : nil
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

  /// Leaves out one overtaking, and moves some of those after it: without what it brought about, the
  /// others come earlier.
  mutating func closeGaps(_ fails: (ExecutionSchedule) async throws -> Bool) async rethrows {
    var index = 0
    while index + 1 < best.overtakings.count, best.overtakings.count <= Self.mostMoved {
      if try await !closeGap(at: index, fails) { index += 1 }
    }
  }

  private mutating func closeGap(
    at index: Int, _ fails: (ExecutionSchedule) async throws -> Bool
  ) async rethrows -> Bool {
    var all = best.overtakings
    all.remove(at: index)
    for first in index..<all.count {
      let before = first > 0 ? all[first - 1].decision : -1
      for distance in 1...Self.farthestMove where all[first].decision - distance > before {
        let moved = all[first...].map {
          ExecutionSchedule.Overtaking(decision: $0.decision - distance, kind: $0.kind)
        }
        if try await attempt(ExecutionSchedule(all[..<first] + moved), fails) { return true }
      }
    }
    return false
  }

  mutating func trySmallOnes(_ fails: (ExecutionSchedule) async throws -> Bool) async rethrows {
    let kinds: [ExecutionSchedule.Overtaking.Kind] = [
      .firstWaits, .firstWaitsFor(1), .runs(1), .firstWaitsFor(2), .runs(2),
    ]
    // One overtaking is the least, since the plain order passes. Those near the ones that are known
    // come first.
    guard best.overtakings.count > 1 else { return }
    let known = best.overtakings.prefix(Self.nearDecisions).map(\.decision)
    var near: [Int] = []
    for distance in 0..<decisions where near.count < Self.nearDecisions {
      for decision in known.flatMap({ [$0 - distance, $0 + distance] })
      where (0..<decisions).contains(decision) && !near.contains(decision) {
        near.append(decision)
      }
    }
    for decision in near {
      for kind in kinds {
        let single = ExecutionSchedule([.init(decision: decision, kind: kind)])
        if try await attempt(single, fails) { return }
      }
    }
    guard best.overtakings.count > 2 else { return }
    for (index, second) in near.enumerated() {
      for first in near[..<index] {
        for kind in kinds.prefix(3) {
          let pair = ExecutionSchedule([first, second].map { .init(decision: $0, kind: kind) })
          if try await attempt(pair, fails) { return }
        }
      }
    }
  }

  /// Subtracts ever smaller powers of two from each place.
  mutating func lowerPlaces(_ fails: (ExecutionSchedule) async throws -> Bool) async rethrows {
    for index in best.overtakings.indices {
      let decision = best.overtakings[index].decision
      guard case .runs(let most) = best.overtakings[index].kind else { continue }
      for bit in stride(from: Int.bitWidth - 1 - most.leadingZeroBitCount, through: 0, by: -1) {
        guard case .runs(let places) = best.overtakings[index].kind, places > 1 << bit else {
          continue
        }
        var lower = best.overtakings
        lower[index] = .init(decision: decision, kind: .runs(places - 1 << bit))
        _ = try await attempt(ExecutionSchedule(lower), fails)
      }
    }
  }
}

/// Leaves out ever smaller parts of a list while the rest is enough (delta debugging, Zeller and
/// Hildebrandt, 2002).
///
/// - Parameter isEnough: Whether the rest is enough; `nil` ends the search.
func smallestPart<Element>(
  of all: [Element], isEnough: ([Element]) async throws -> Bool?
) async rethrows -> [Element] {
  var rest = all
  var size = max(1, rest.count / 2)
  while !rest.isEmpty {
    // From the end: what comes after the failure has no effect.
    var end = rest.count
    var isSmaller = false
    while end > 0 {
      let start = max(0, end - size)
      var fewer = rest
      fewer.removeSubrange(start..<end)
      guard let isEnough = try await isEnough(fewer) else { return rest }
      if isEnough { (rest, isSmaller) = (fewer, true) }
      end = start
    }
    if size == 1, !isSmaller { break }
    size = max(1, min(size / 2, rest.count / 2))
  }
  return rest
}
