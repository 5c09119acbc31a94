import _EscapementCore

/// How many operations of a ``ConcurrencyLimiter`` may run at the same time.
public struct ConcurrencyLimit: Hashable, Sendable {
  enum Kind: Hashable {
    case fixed(Int)
    case vegas(initial: Int, range: ClosedRange<Int>)
  }

  let kind: Kind

  /// Always the same number.
  ///
  /// - Parameter limit: The number; 1 or more.
  public static func fixed(_ limit: Int) -> ConcurrencyLimit {
    ConcurrencyLimit(kind: .fixed(limit))
  }

  /// A number that grows while operations take their usual time, and shrinks when they take longer.
  ///
  /// An operation that takes longer than the shortest one has waited in a queue of the service. So
  /// this is for operations that take nearly the same time: where times vary by half and more, the
  /// limit becomes much too small.
  ///
  /// The limit follows the length of that queue, as the window of TCP Vegas does (Brakmo, O'Malley,
  /// Peterson: *TCP Vegas: New Techniques for Congestion Detection and Avoidance*, 1994). The steps
  /// are those of `VegasLimit` in Netflix's
  /// [concurrency-limits](https://github.com/Netflix/concurrency-limits). In contrast to it, the
  /// limit grows only when all operations have ended that ran when it last grew: the times of these
  /// do not tell whether it has grown too far. And it is halved while the shortest time is measured
  /// anew, so that it is measured without a queue, and returns to its value after that, as in BBR
  /// (Cardwell and others, 2016).
  ///
  /// - Parameters:
  ///   - initial: The limit in the beginning; within the range.
  ///   - range: The smallest and the largest limit; 1 or more, and at most 1,000,000.
  public static func vegas(
    initial: Int = 20, in range: ClosedRange<Int> = 1...1_000
  ) -> ConcurrencyLimit {
    ConcurrencyLimit(kind: .vegas(initial: initial, range: range))
  }

  func makeAlgorithm() throws(InvalidArgumentError) -> ConcurrencyAlgorithm {
    switch kind {
    case .fixed(let limit):
      guard limit >= 1 else { throw InvalidArgumentError("limit", limit, mustBe: "1 or more") }
      return .fixed(limit)
    case .vegas(let initial, let range):
      guard range.lowerBound >= 1, range.upperBound <= 1_000_000 else {
        throw InvalidArgumentError("range", range, mustBe: "within 1...1,000,000")
      }
      guard range.contains(initial) else {
        throw InvalidArgumentError("initial", initial, mustBe: "within \(range)")
      }
      return .vegas(VegasLimit(limit: initial, range: range))
    }
  }
}

/// A limit and what it has learned.
enum ConcurrencyAlgorithm {
  case fixed(Int)
  case vegas(VegasLimit)

  var limit: Int {
    switch self {
    case .fixed(let limit): limit
    case .vegas(let vegas): vegas.limit
    }
  }

  var isAdaptive: Bool { if case .vegas = self { true } else { false } }

  /// An operation has ended.
  mutating func record(_ sample: VegasLimit.Sample) {
    guard case .vegas(var vegas) = self else { return }
    vegas.record(sample)
    self = .vegas(vegas)
  }
}
