/// The order in which the jobs of a scope run, as a list of its deviations from the plain order.
///
/// In the plain order, jobs run first come first served, and a sleeper wakes when nothing else can
/// run. A *decision point* is a moment at which more than one job or due sleeper could be next. A
/// schedule numbers the decision points of a run from 0, and says at which of them something else
/// than the first candidate is next.
///
/// The text of a schedule joins its overtakings by dots. It is the same on every machine.
///
/// | text | meaning |
/// | --- | --- |
/// | (empty) | the plain order |
/// | `7` | At decision point 7, the first candidate waits until nothing else can run. |
/// | `7x3` | At decision point 7, the first candidate waits until three others have run. |
/// | `7+2` | At decision point 7, the second one after the first candidate runs. |
/// | `7.12x1` | Both: the one at decision point 7, then the one at decision point 12. |
///
/// A schedule fits the code that it was found for. If the code changes, a decision point may have
/// other candidates, or may not be reached; what does not apply is left out.
public struct ExecutionSchedule: Sendable, Hashable {
  /// One deviation from the plain order.
  public struct Overtaking: Sendable, Hashable {
    /// The job that is overtaken.
    public enum Kind: Sendable, Hashable {
      /// The first candidate waits until nothing else can run.
      case firstWaits
      /// The first candidate waits until so many others have run.
      case firstWaitsFor(Int)
      /// The candidate that is so many places behind the first one runs.
      case runs(Int)

      /// The number of the drawn event, if this decision point draws one.
      var drawn: Int {
        switch self {
        case .runs(let places): places
        case .firstWaits, .firstWaitsFor: 1
        }
      }
    }

    /// The number of the decision point.
    public let decision: Int
    /// The job that is overtaken.
    public let kind: Kind

    /// Creates an overtaking.
    ///
    /// - Parameters:
    ///   - decision: The number of the decision point; negative numbers count as 0.
    ///   - kind: What is overtaken; numbers below 1 count as 1.
    public init(decision: Int, kind: Kind) {
      self.decision = max(0, decision)
      self.kind =
        switch kind {
        case .firstWaits: .firstWaits
        case .firstWaitsFor(let count): .firstWaitsFor(max(1, count))
        case .runs(let place): .runs(max(1, place))
        }
    }
  }

  /// The deviations, in the order of their decision points, at most one for each.
  public let overtakings: [Overtaking]

  /// The plain order: first come, first served.
  public static let plain = ExecutionSchedule([])

  /// Creates a schedule.
  ///
  /// - Parameter overtakings: The deviations, in any order; of two at one decision point the first
  ///   one counts.
  public init(_ overtakings: some Sequence<Overtaking>) {
    var seen: Set<Int> = []
    self.overtakings = overtakings.filter { seen.insert($0.decision).inserted }
      .sorted { $0.decision < $1.decision }
  }
}
