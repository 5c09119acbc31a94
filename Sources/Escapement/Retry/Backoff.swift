import _EscapementCore

/// How long to wait before each further attempt: an endless sequence of delays.
///
/// ```swift
/// Array(Backoff.exponential(base: .seconds(1), cap: .seconds(5)).prefix(4))
/// // [1 s, 2 s, 4 s, 5 s]
/// ```
///
/// A backoff is a value: each pass over it begins anew, also with the random numbers of a generator
/// that was given. Delays that are computed are whole nanoseconds.
///
/// Arguments that cannot work make an empty sequence, and ``retry(maximumAttempts:backoff:before:clock:fileID:line:when:operation:)``
/// throws an ``InvalidArgumentError`` that names them.
public struct Backoff: Sequence, Sendable {
  enum Shape {
    case constant(Duration)
    case exponential(base: Duration, factor: Double, cap: Duration)
    case fullJitter(base: Duration, factor: Double, cap: Duration)
    case decorrelatedJitter(base: Duration, cap: Duration)
  }

  let shape: Shape
  let generator: any RandomNumberGenerator & Sendable

  /// The same delay each time.
  ///
  /// - Parameter delay: The delay; zero or positive.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff(shape: .constant(delay))
  }

  /// A delay that grows by a factor until it reaches a cap.
  ///
  /// - Parameters:
  ///   - base: The first delay; zero or positive.
  ///   - factor: How much longer each delay is than the one before; 1 or more.
  ///   - cap: The longest delay; not shorter than the base.
  public static func exponential(
    base: Duration, factor: Double = 2, cap: Duration
  ) -> Backoff {
    Backoff(shape: .exponential(base: base, factor: factor, cap: cap))
  }

  /// A random delay between zero and one that grows by a factor until it reaches a cap.
  ///
  /// Spreads those best that failed at the same time; "Full Jitter" in Marc Brooker's [Exponential
  /// Backoff And Jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
  ///
  /// - Parameters:
  ///   - base: The longest first delay; zero or positive.
  ///   - factor: How much longer each delay may be than the one before; 1 or more.
  ///   - cap: The longest delay; not shorter than the base.
  ///   - generator: Where the random numbers come from.
  public static func fullJitter(
    base: Duration, factor: Double = 2, cap: Duration,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Backoff {
    Backoff(shape: .fullJitter(base: base, factor: factor, cap: cap), generator: generator)
  }

  /// A random delay between the base and three times the delay before, up to a cap.
  ///
  /// "Decorrelated Jitter" in the article that ``fullJitter(base:factor:cap:using:)`` names. Unlike
  /// there, no delay is shorter than the base.
  ///
  /// - Parameters:
  ///   - base: The shortest delay; zero or positive.
  ///   - cap: The longest delay; not shorter than the base.
  ///   - generator: Where the random numbers come from.
  public static func decorrelatedJitter(
    base: Duration, cap: Duration,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Backoff {
    Backoff(shape: .decorrelatedJitter(base: base, cap: cap), generator: generator)
  }

  private init(
    shape: Shape,
    generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.shape = shape
    self.generator = generator
  }

  /// Begins with the first delay.
  public func makeIterator() -> Iterator {
    Iterator(shape: invalidArgument == nil ? shape : nil, generator: generator)
  }

  var invalidArgument: InvalidArgumentError? {
    switch shape {
    case .constant(let delay):
      Self.check("delay", delay)
    case .exponential(let base, let factor, let cap), .fullJitter(let base, let factor, let cap):
      Self.check("base", base) ?? Self.check("factor", factor) ?? Self.check("cap", cap, base: base)
    case .decorrelatedJitter(let base, let cap):
      Self.check("base", base) ?? Self.check("cap", cap, base: base)
    }
  }

  private static func check(_ argument: String, _ delay: Duration) -> InvalidArgumentError? {
    delay < .zero ? InvalidArgumentError(argument, delay, mustBe: "zero or positive") : nil
  }

  private static func check(_ argument: String, _ factor: Double) -> InvalidArgumentError? {
    guard factor >= 1, factor.isFinite else {
      return InvalidArgumentError(argument, factor, mustBe: "1 or more, and finite")
    }
    return nil
  }

  private static func check(
    _ argument: String, _ cap: Duration, base: Duration
  ) -> InvalidArgumentError? {
    cap < base ? InvalidArgumentError(argument, cap, mustBe: "at least the base, \(base)") : nil
  }
}

// MARK: - Delays

extension Backoff {
  /// The delays, one after the other.
  public struct Iterator: IteratorProtocol {
    /// `nil` makes no delays at all.
    fileprivate let shape: Shape?
    fileprivate var generator: any RandomNumberGenerator & Sendable
    /// The delay before, or for full jitter the bound of the delay before.
    private var previous: Duration?

    fileprivate init(shape: Shape?, generator: any RandomNumberGenerator & Sendable) {
      self.shape = shape
      self.generator = generator
    }

    /// The next delay; never `nil` if the arguments of the backoff can work.
    public mutating func next() -> Duration? {
      switch shape {
      case nil:
        return nil
      case .constant(let delay):
        return delay
      case .exponential(let base, let factor, let cap):
        return grow(from: base, by: factor, upTo: cap)
      case .fullJitter(let base, let factor, let cap):
        return random(from: .zero, to: grow(from: base, by: factor, upTo: cap))
      case .decorrelatedJitter(let base, let cap):
        let delay = Swift.min(cap, random(from: base, to: (previous ?? base).multiplied(by: 3)))
        previous = delay
        return delay
      }
    }

    private mutating func grow(
      from base: Duration, by factor: Double, upTo cap: Duration
    ) -> Duration {
      let grown = Swift.min(cap, previous?.multiplied(by: factor) ?? base)
      previous = grown
      return grown
    }

    private mutating func random(from lower: Duration, to upper: Duration) -> Duration {
      let range = lower.wholeNanoseconds...upper.wholeNanoseconds
      return .nanoseconds(Int64.random(in: range, using: &generator))
    }
  }
}

extension Duration {
  /// Whole nanoseconds, at most 292 years.
  fileprivate func multiplied(by factor: Double) -> Duration {
    let product = (self / .nanoseconds(1) * factor).rounded()
    return .nanoseconds(product < 0x1p63 ? Int64(product) : .max)
  }
}
