/// The variables of the environment for exploration.
///
/// | variable | meaning |
/// | --- | --- |
/// | `ESCAPEMENT_SEED=417` | Runs each test once, with the schedule of this seed. |
/// | `ESCAPEMENT_SEEDS=1000` | Runs each test with the trait `.virtualTime` under 1,000 schedules. |
/// | `ESCAPEMENT_SCHEDULE=7.12x1` | Runs each test once, with this schedule. |
/// | `ESCAPEMENT_SHARD=3/16` | Explores only this part of the seeds. |
/// | `CI_NODE_INDEX`, `CI_NODE_TOTAL` | The same, as CI services set them; the index is 1 or more. |
/// | `JOB_COMPLETION_INDEX`, `JOB_COMPLETIONS` | The same, from 0, as in an indexed job of Kubernetes. |
/// | `ESCAPEMENT_FAILURES=path` | Appends a line for each failing schedule to this file. |
struct ExplorationVariables: Equatable {
  /// A request for all tests.
  enum Request: Equatable {
    case seed(UInt64)
    case seeds(Int)
    case schedule(ExecutionSchedule)
  }

  var request: Request?
  var shard = Shard.all
  var failures: String?

  /// Reads the variables, which `value` finds by their names.
  init(_ value: (String) -> String?) throws(VirtualTimeError) {
    // The most exact one counts.
    if let text = value("ESCAPEMENT_SCHEDULE") {
      do throws(ScheduleSyntaxError) {
        request = .schedule(try ExecutionSchedule(parsing: text))
      } catch {
        throw .invalidOption("ESCAPEMENT_SCHEDULE: \(error)")
      }
    } else if let text = value("ESCAPEMENT_SEED") {
      guard let seed = UInt64(text) else {
        throw .invalidOption("ESCAPEMENT_SEED=\(text); use a whole number from 0, such as 417")
      }
      request = .seed(seed)
    } else if let text = value("ESCAPEMENT_SEEDS") {
      guard let count = Int(text), count > 0 else {
        throw .invalidOption("ESCAPEMENT_SEEDS=\(text); use a whole number from 1, such as 1000")
      }
      request = .seeds(count)
    }
    shard = try Self.shard(value)
    failures = value("ESCAPEMENT_FAILURES").flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func shard(_ value: (String) -> String?) throws(VirtualTimeError) -> Shard {
    if let text = value("ESCAPEMENT_SHARD") {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let number = parts[0], let count = parts[1],
        let shard = Shard(number: number, of: count)
      else {
        throw .invalidOption("ESCAPEMENT_SHARD=\(text); use number/count, such as 3/16 or 16/16")
      }
      return shard
    }
    for (index, total, first) in [
      ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1), ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0),
    ] {
      // One of the two alone says nothing.
      guard let indexText = value(index), let totalText = value(total) else { continue }
      guard let number = Int(indexText), let count = Int(totalText),
        // Wraps around to a number that is refused.
        let shard = Shard(number: number &- first &+ 1, of: count)
      else {
        throw .invalidOption(
          "\(index)=\(indexText) and \(total)=\(totalText); use an index from \(first), below "
            + "the total\(first == 1 ? " or equal to it" : "")")
      }
      return shard
    }
    return .all
  }
}
