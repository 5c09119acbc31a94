#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The result of an exploration.
public struct ExplorationReport: Sendable {
  /// A schedule under which the body fails.
  public struct Failure: Sendable {
    /// The seed that found it; `nil` if the plain order or a known schedule fails, or if the
    /// schedule followed from what the runs before had seen (``ExplorationStrategy/newPairsFirst``,
    /// ``ExplorationStrategy/uniform``).
    public let seed: UInt64?
    /// The smallest schedule that was found to fail.
    public let schedule: ExecutionSchedule
    /// The number of the schedule that was found to fail: 1 is the plain order; 0 for a crash.
    public let number: Int
    /// How many schedules were tried to make it small.
    public let shrinkAttempts: Int
    /// The failures of the run, such as failed expectations, and the error that was thrown.
    public let messages: [String]
    /// The steps at which the schedule differs from the plain order.
    public let steps: [String]
    /// Whether the run killed its process, as a trap does.
    public let isCrash: Bool
    /// Whether the failure has been reported at once, since it could not be kept back.
    ///
    /// That is the case for an assertion of XCTest, and for what Swift Testing takes for the
    /// failure of no test, such as an expectation in a detached task. So the schedule has not been
    /// made small, and the search has ended.
    public let isReported: Bool
  }

  /// How many schedules there are: the plain order, the known ones, and the seeds.
  public internal(set) var scheduleCount = 0
  /// How many schedules were tried.
  ///
  /// The search ends with the first one that fails, unless
  /// ``ExplorationOptions/stopsAtFirstFailure`` is `false`.
  public private(set) var schedulesTried = 0
  /// How many of the schedules that were tried fail.
  public private(set) var schedulesFailed = 0
  /// How many decision points all runs had together.
  public private(set) var decisionPoints = 0
  /// How many runs differed in what they decided.
  public var distinctTraces: Int { fingerprints.count }
  /// The number of the first decision point that differed when a seed was run twice.
  ///
  /// It is `nil` if both runs were the same. Else the code under test is not deterministic: it may
  /// use the order of a dictionary, random numbers, or real I/O.
  public internal(set) var firstDifference: Int?
  /// Whether there was work outside the scope, such as a `hold`, a callback of another thread, or a
  /// thread of the scope that waited in a system call.
  ///
  /// Times are those of the scope all the same, but this order is not explored.
  public internal(set) var hasWorkOutside = false
  /// The situations of `Simulation.sometimes` to which the program came, and that no run reached.
  public var unreached: [String] {
    points.filter { !$0.value }.keys.sorted().map(\.description)
  }
  /// The first failure, or `nil` if all runs passed.
  public internal(set) var failure: Failure?

  /// All orders, if these are tried instead of drawn ones.
  var orders: Enumeration?
  /// Whether all orders were tried; `nil` if they were drawn, or one fails.
  public var areAllTried: Bool? { failure == nil ? orders.map { $0.left == 0 } : nil }

  /// The visits to actors in the runs of seeds; `nil` if no strategy needs them.
  var counts: VisitCounts?

  /// How many jobs may run at one instant, or deadlines pass, before a run is endless.
  private(set) var jobLimit = Int.max
  /// Whether a scope that was taken for stuck at once has been stuck in real time as well.
  var hasStalled = false

  private var fingerprints: Set<Fingerprint> = []
  private var points: [SimulationPoint: Bool] = [:]

  mutating func note(_ outcome: ExploredRun.Outcome, hasPassed: Bool = false) {
    schedulesTried += 1
    if !hasPassed, outcome.cause != nil { schedulesFailed += 1 }
    hasWorkOutside = hasWorkOutside || outcome.hasWorkOutside
    decisionPoints += outcome.trace.decisions
    fingerprints.insert(outcome.trace.fingerprint)
    points.merge(outcome.trace.points) { $0 || $1 }
  }

  /// Notes what the plain order needs: a run with a hundred times as many jobs is endless.
  ///
  /// With the limit of the options, each attempt to make an endless schedule small would take
  /// seconds.
  mutating func limitJobs(after plain: ExploredRun.Outcome) {
    jobLimit = max(10_000, 100 * plain.jobCount)
  }

  /// Whether more schedules are to be tried.
  func goesOn(_ options: ExplorationOptions) -> Bool {
    guard let failure else { return true }
    return !options.stopsAtFirstFailure && !failure.isReported
  }
}

extension ExplorationReport.Failure {
  /// The text that follows the message of a failed test.
  func summary(of report: ExplorationReport) -> String {
    var lines: [String] = []
    if isCrash {
      lines.append("A schedule has killed the process of this test in a run before this one:")
      lines += messages.map { $0.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n") }
    }
    if schedule == .plain {
      lines.append(
        """
        The plain order fails already, so this failure is not about schedules. To see it again, run the \
        test with '.virtualTime', without an order and without 'ESCAPEMENT_SEEDS'.
        """)
    } else {
      if !isCrash { lines.append(sentence(of: report)) }
      lines.append(size)
    }
    lines += steps.prefix(shownItems).map { "  " + $0 }
    if steps.count > shownItems { lines.append("  and \(steps.count - shownItems) more") }
    if isReported, schedule != .plain {
      lines.append(
        """
        It has not been made small, because XCTest reports each assertion that fails at once, and Swift \
        Testing does so with each expectation in a detached task. Throw an error instead.
        """)
    }
    if report.hasWorkOutside {
      lines.append(
        "There was work outside of the scope, such as a hold. Its order is not explored, and a replay may differ "
          + "from run to run.")
    }
    if let difference = report.difference {
      lines.append("The code under test is not deterministic: \(difference)")
    }
    return lines.joined(separator: "\n")
  }

  /// How many schedules fail, of those that were tried.
  private func sentence(of report: ExplorationReport) -> String {
    if report.orders != nil { return "Order \(number.formattedInGroups) fails." }
    let count = report.scheduleCount.formattedInGroups
    let failed = report.schedulesFailed
    // If the search has ended with this one, it is not known how many would fail.
    return report.schedulesTried == number
      ? "Schedule \(number.formattedInGroups) of \(count) fails."
      : "\(failed.formattedInGroups) of \(count) schedules fail\(failed == 1 ? "s" : "")."
  }

  /// How small the schedule is, and what replays it.
  private var size: String {
    let count = schedule.overtakings.count
    let seed = seed.map { "seed \($0), " } ?? ""
    return "\(isReported ? "It" : "The smallest") has \(count) overtaking\(count == 1 ? "" : "s") "
      + "(\(seed)replay: .virtualTime(order: .schedule(\"\(schedule)\")) or "
      + "ESCAPEMENT_SCHEDULE=\(schedule))"
  }
}

extension ExplorationReport: CustomStringConvertible {
  /// How many schedules were tried, and the smallest one that fails.
  public var description: String {
    let tried = "\(schedulesTried.formattedInGroups) of \(scheduleCount.formattedInGroups)"
    let plural = distinctTraces == 1 ? "" : "s"
    let orders = "\(distinctTraces.formattedInGroups) different order\(plural)"
    return failure?.summary(of: self) ?? self.orders.map { "No order fails; \($0)." }
      ?? "No schedule fails; \(tried) were tried, with \(orders)."
  }

  /// The warning of a test that passes although all its schedules led to the same order.
  var warningOfOneOrder: String? {
    guard schedulesTried > 1, distinctTraces == 1 else { return nil }
    return """
      This test passes, but there was nothing to explore: all \(schedulesTried.formattedInGroups) schedules led to the \
      same order. Run the calls that may race in tasks of their own, as with 'async let'. A body that has slept goes \
      on only when all other work of that instant is done.
      """
  }

  /// The warning of a test that passes, and should pass under all orders.
  var warningOfMoreOrders: String? {
    guard areAllTried == false, let orders else { return nil }
    return """
      This test passes, but has more orders than were to be tried: \(orders). Raise the limit, let the test do less, or \
      draw orders with '.exploring', which finds most bugs sooner.
      """
  }

  /// The warning of a test that passes, and never reaches a situation that some test should reach.
  var warningOfUnreached: String? {
    guard !unreached.isEmpty else { return nil }
    return """
      This test passes, but none of its \(schedulesTried.formattedInGroups) schedules reached what it should reach now \
      and then:
      \(bullets(unreached))

      Explore more schedules, or make the situation more likely: with slower links, smaller queues, or \
      'Simulation.chance'.
      """
  }

  /// The warning of a test that passes although its runs differ, and nothing outside took part.
  var warning: String? {
    guard !hasWorkOutside, let difference else { return nil }
    return """
      This test passes, but is not deterministic: \(difference) If it fails under a schedule, it may pass when the \
      schedule is replayed.
      """
  }

  /// How two runs differ, and what may be the cause.
  fileprivate var difference: String? {
    firstDifference.map {
      """
      when a seed was run twice, decision point \($0) was the first that differed. Look for the order of a \
      dictionary or a set\(Self.hashingAdvice), random numbers, state that outlives a run, and real I/O.
      """
    }
  }

  /// The runtime reads the variable when the process starts.
  private static let hashingAdvice =
    getenv("SWIFT_DETERMINISTIC_HASHING") == nil
    ? " (SWIFT_DETERMINISTIC_HASHING=1 in the environment of the tests makes it the same)" : ""
}

extension Int {
  /// The number with a comma between groups of three digits.
  var formattedInGroups: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}
