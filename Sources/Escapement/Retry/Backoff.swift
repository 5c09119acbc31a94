import _EscapementCore

/// The delays before each further attempt, as an endless sequence.
///
/// ```swift
/// Array(Backoff.exponential(base: .seconds(1), cap: .seconds(5)).prefix(4))
/// // [1 s, 2 s, 4 s, 5 s]
/// ```
///
/// A backoff is a value. Each iteration begins with the first delay, and with a copy of the random
/// number generator. Computed delays are whole nanoseconds.
///
/// With invalid arguments the sequence is empty, and
/// ``retry(maximumAttempts:backoff:before:clock:fileID:line:when:operation:)`` throws an
/// `InvalidArgumentError` that names the argument.
public struct Backoff: Sequence, Sendable {
  enum Shape {
    case constant(Duration)
    case exponential(base: Duration, factor: Double, cap: Duration)
    case fullJitter(base: Duration, factor: Double, cap: Duration)
  }

  let shape: Shape
  let generator: any RandomNumberGenerator & Sendable

  /// A constant delay.
  ///
  /// - Parameter delay: The delay; zero or positive.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff(shape: .constant(delay))
  }

  /// A delay that grows by a factor until it reaches a cap.
  ///
  /// - Parameters:
  ///   - base: The first delay; zero or positive.
  ///   - factor: The ratio of each delay to the one before; 1 or more.
  ///   - cap: The longest delay; not shorter than the base.
  public static func exponential(
    base: Duration, factor: Double = 2, cap: Duration
  ) -> Backoff {
    Backoff(shape: .exponential(base: base, factor: factor, cap: cap))
  }

  /// A random delay between zero and a bound that grows by a factor until it reaches a cap.
  ///
  /// It spreads the further attempts of clients that failed at the same time. The source is "Full
  /// Jitter" in Marc Brooker's [Exponential Backoff And
  /// Jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
  ///
  /// - Parameters:
  ///   - base: The bound of the first delay; zero or positive.
  ///   - factor: The ratio of each bound to the one before; 1 or more.
  ///   - cap: The largest bound; not shorter than the base.
  ///   - generator: The source of the random numbers.
  public static func fullJitter(
    base: Duration, factor: Double = 2, cap: Duration,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Backoff {
    Backoff(shape: .fullJitter(base: base, factor: factor, cap: cap), generator: generator)
  }

  private init(
    shape: Shape,
    generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.shape = shape
    self.generator = generator
  }

  /// Creates an iterator that begins with the first delay.
  public func makeIterator() -> Iterator {
    Iterator(shape: invalidArgument == nil ? shape : nil, generator: generator)
  }

  var invalidArgument: InvalidArgumentError? {
    switch shape {
    case .constant(let delay):
      Self.check("delay", delay)
    case .exponential(let base, let factor, let cap), .fullJitter(let base, let factor, let cap):
      Self.check("base", base) ?? Self.check("factor", factor) ?? Self.check("cap", cap, base: base)
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
  /// Produces the delays of a backoff.
  public struct Iterator: IteratorProtocol {
    /// `nil` if the arguments of the backoff are not valid.
    fileprivate let shape: Shape?
    fileprivate var generator: any RandomNumberGenerator & Sendable
    /// The last delay before jitter.
    private var previous: Duration?

    fileprivate init(shape: Shape?, generator: any RandomNumberGenerator & Sendable) {
      self.shape = shape
      self.generator = generator
    }

    /// Returns the next delay, or `nil` if the arguments of the backoff are not valid.
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
  /// The product in whole nanoseconds, at most 292 years.
  fileprivate func multiplied(by factor: Double) -> Duration {
    let product = (self / .nanoseconds(1) * factor).rounded()
    return .nanoseconds(product < 0x1p63 ? Int64(product) : .max)
  }
}
