import CSimulation

/// A place at which the program says something of itself, by `Simulation`.
struct SimulationPoint: Hashable, Sendable, Comparable, CustomStringConvertible {
  let name: String
  let file: String
  let line: Int

  init(_ point: csim_point) {
    name = String(cString: point.name)
    file = String(cString: point.file)
    line = point.line
  }

  var description: String { "\(name) (\(file):\(line))" }

  static func < (one: Self, other: Self) -> Bool {
    (one.file, one.line, one.name) < (other.file, other.line, other.name)
  }
}

extension SimulationPoint {
  /// Lets programs speak to the scopes whose schedules are explored.
  static func connect() {
    csim_set_table(
      csim_table(
        happens: { probability, point in
          let draw = Scope.exploringHere?.draw(1, min(max(probability, 0), 1)) { _ in
            "\(SimulationPoint(point))"
          }
          return draw ?? 0 > 0
        },
        reaches: { isReached, point in
          guard let scope = Scope.current, scope.isExploring else { return }
          scope.state.withLock { state in
            state.exploring?.explorer.comes(to: SimulationPoint(point), isReached: isReached)
          }
        }))
  }
}
