/// The order in which the jobs of a scope run.
///
/// ```swift
/// @Test(.virtualTime(order: .exploring(1_000)))
/// func twoCallersMakeOneRequest() async { ... }
/// ```
public enum ExecutionOrder: Sendable {
  /// First come, first served.
  ///
  /// The environment may ask for a seed, a schedule or, for tests with the trait `.virtualTime`, an
  /// exploration.
  case plain

  /// The plain order, and then one for each seed, until the code fails under one.
  ///
  /// The scope shrinks the first schedule that fails, and runs the code under it once more. It
  /// reports the failures of this run, with the line that replays the schedule. The code fails if
  /// it throws, reaches a limit of the scope, or records an issue. It must create the objects under
  /// test itself, because state that outlives a run changes the next one. Code that passes under
  /// all schedules reports nothing, except a warning if two runs of one seed differ.
  ///
  /// The first value is the number of seeds. A negative one throws
  /// ``VirtualTimeError/invalidOption(_:)``.
  case exploring(Int, ExplorationOptions = ExplorationOptions())

  /// All orders, up to a number of them, until the code fails under one.
  ///
  /// Those with the fewest overtakings come first, so that what fails is small. Code that passes
  /// has a warning if there are more orders than that; it says which ones were tried.
  ///
  /// - Parameter limit: How many orders are tried at most.
  public static func all(upTo limit: Int) -> ExecutionOrder {
    .exploring(limit, ExplorationOptions(strategy: .exhaustive))
  }

  /// The schedule of a seed, drawn as in the exploration that named the seed.
  ///
  /// A schedule that followed from the runs before it has no seed
  /// (``ExplorationStrategy/newPairsFirst``, ``ExplorationStrategy/uniform``). Replay its text.
  case seed(UInt64, ExplorationStrategy = .byTurns)

  /// The schedule that a report prints, such as `"7.12x1"`.
  ///
  /// Malformed text throws a ``ScheduleSyntaxError``, and the code does not run.
  case schedule(String)
}

extension ExecutionOrder {
  /// The runs of the code.
  package enum Plan: Sendable {
    /// One run.
    case single(ScheduleSource?)
    /// One run for each schedule, with this number of seeds.
    case explore(Int, ExplorationOptions)
  }

  /// Throws for a negative number of seeds.
  static func check(_ seedCount: Int) throws {
    guard seedCount >= 0 else {
      throw VirtualTimeError.invalidOption("exploring: \(seedCount); use 0 or more seeds")
    }
  }

  /// The plan for this order and the requests of the environment.
  package func plan() throws -> Plan {
    var seedCount: Int?
    var exploration = ExplorationOptions()
    switch self {
    case .seed(let seed, let strategy): return .single(.seed(seed, strategy))
    case .schedule(let text): return .single(.schedule(try ExecutionSchedule(parsing: text)))
    case .plain: break
    case .exploring(let count, let options):
      // Also if the environment asks for another number.
      try Self.check(count)
      (seedCount, exploration) = (count, options)
    }
    return switch try ExplorationVariables.ofProcess.get().request {
    case nil: seedCount.map { .explore($0, exploration) } ?? .single(nil)
    case .seed(let seed): .single(.seed(seed, .byTurns))
    case .schedule(let schedule): .single(.schedule(schedule))
    case .seeds(let count): .explore(count, exploration)
    }
  }
}

extension VirtualTimeOptions {
  /// The options, with the schedule of a plan if it has a single one.
  func following(_ plan: ExecutionOrder.Plan) -> VirtualTimeOptions {
    guard case .single(let source?) = plan else { return self }
    let recording: ExploredRun.Recording =
      ExplorationVariables.tellsSteps ? .steps : .fingerprint
    return following(ExploredRun(source, recording: recording, stallsAtOnce: false))
  }
}
