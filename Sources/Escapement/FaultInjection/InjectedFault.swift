import _EscapementCore

/// A fault that a ``FaultInjector`` brings into a share of the calls.
public struct InjectedFault: Sendable, CustomStringConvertible {
  enum Kind {
    case latency(ClosedRange<Duration>)
    case error(any Error)
    case outcome
  }

  let kind: Kind

  /// The share of the calls, from 0 to 1.
  public let share: Double

  private init(_ kind: Kind, _ share: Double) throws(InvalidArgumentError) {
    guard 0...1 ~= share else {
      throw InvalidArgumentError("share", share, mustBe: "between 0 and 1")
    }
    self.kind = kind
    self.share = share
  }

  /// The call begins later.
  ///
  /// - Parameters:
  ///   - range: How much later, drawn for each call; zero or positive.
  ///   - share: The share of the calls, from 0 to 1.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public static func latency(
    _ range: ClosedRange<Duration>, share: Double
  ) throws(InvalidArgumentError) -> Self {
    guard range.lowerBound >= .zero else {
      throw InvalidArgumentError("range", range.lowerBound, mustBe: "zero or positive")
    }
    return try Self(.latency(range), share)
  }

  /// An error is thrown, and the call is not performed.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - share: The share of the calls, from 0 to 1.
  /// - Throws: `InvalidArgumentError` if the share is not valid.
  public static func error(
    _ error: any Error, share: Double
  ) throws(InvalidArgumentError) -> Self {
    try Self(.error(error), share)
  }

  /// The call has another outcome, that of the second closure of
  /// ``FaultInjector/run(operation:outcome:)``, and is not performed.
  ///
  /// Calls without such a closure are performed.
  ///
  /// - Parameter share: The share of the calls, from 0 to 1.
  /// - Throws: `InvalidArgumentError` if the share is not valid.
  public static func outcome(share: Double) throws(InvalidArgumentError) -> Self {
    try Self(.outcome, share)
  }

  /// The kind of the fault, for metrics.
  var kindName: String {
    switch kind {
    case .latency: "latency"
    case .error: "error"
    case .outcome: "outcome"
    }
  }

  /// The fault and its share, such as `the error Unavailable() in 0.01 of the calls`.
  public var description: String {
    let fault =
      switch kind {
      case .latency(let range): "a latency from \(range.lowerBound) to \(range.upperBound)"
      case .error(let error): "the error \(error)"
      case .outcome: "another outcome"
      }
    return "\(fault) in \(share) of the calls"
  }
}
