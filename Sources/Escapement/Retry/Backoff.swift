import _EscapementCore

/// The delays before each further attempt, as an endless sequence.
///
/// ```swift
/// Array(Backoff.exponential(base: .seconds(1), cap: .seconds(5)).prefix(4))
/// // [1 s, 2 s, 4 s, 5 s]
/// ```
///
/// A backoff is a value. Each iteration begins with the first delay, and with a copy of the random
/// number generator. Computed delays are whole nanoseconds, and with jitter at most 292 years. For
/// a shape of your own, pass any sequence of durations to ``init(_:)``.
///
/// With invalid arguments the sequence is empty, and
/// ``retry(maximumAttempts:backoff:before:clock:budget:fileID:line:when:accepting:onAttempt:operation:)``
/// throws an `InvalidArgumentError` that names the argument.
public struct Backoff: Sequence, Sendable {
  enum Shape {
    case constant(Duration)
    case linear(base: Duration, increment: Duration, cap: Duration)
    case exponential(base: Duration, factor: Double, cap: Duration)
    case fullJitter(base: Duration, factor: Double, cap: Duration)
    case equalJitter(base: Duration, factor: Double, cap: Duration)
    case own(any Sequence<Duration> & Sendable)
  }

  let shape: Shape
  let generator: any RandomNumberGenerator & Sendable

  /// A constant delay.
  ///
  /// - Parameter delay: The delay; zero or positive.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff(shape: .constant(delay))
  }

  /// A delay that grows by the same time until it reaches a cap.
  ///
  /// - Parameters:
  ///   - base: The first delay; zero or positive.
  ///   - increment: The difference of each delay to the one before; zero or positive.
  ///   - cap: The longest delay; not shorter than the base.
  public static func linear(
    base: Duration, increment: Duration, cap: Duration
  ) -> Backoff {
    Backoff(shape: .linear(base: base, increment: increment, cap: cap))
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

  /// A delay of which one half is fixed and the other random, within a bound that grows by a factor
  /// until it reaches a cap.
  ///
  /// In contrast to full jitter, no delay is shorter than half of the bound. The source is "Equal
  /// Jitter" in Marc Brooker's [Exponential Backoff And
  /// Jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
  ///
  /// - Parameters:
  ///   - base: The bound of the first delay; zero or positive.
  ///   - factor: The ratio of each bound to the one before; 1 or more.
  ///   - cap: The largest bound; not shorter than the base.
  ///   - generator: The source of the random numbers.
  public static func equalJitter(
    base: Duration, factor: Double = 2, cap: Duration,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Backoff {
    Backoff(shape: .equalJitter(base: base, factor: factor, cap: cap), generator: generator)
  }

  /// The delays of a sequence, such as an array or a type of your own.
  ///
  /// When the sequence has ended, there is no further attempt. If it contains a negative delay,
  /// `retry` throws an `InvalidArgumentError` instead of waiting for that delay.
  ///
  /// ```swift
  /// Backoff([.zero, .seconds(1), .seconds(5)])
  /// ```
  public init(_ delays: some Sequence<Duration> & Sendable) {
    self.init(shape: .own(delays))
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

  package var invalidArgument: InvalidArgumentError? {
    switch shape {
    case .constant(let delay):
      Self.check("delay", delay)
    case .linear(let base, let increment, let cap):
      Self.check("base", base) ?? Self.check("increment", increment)
        ?? Self.check("cap", cap, base: base)
    case .own:
      nil
    case .exponential(let base, let factor, let cap), .fullJitter(let base, let factor, let cap),
      .equalJitter(let base, let factor, let cap):
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
    private var own: (any IteratorProtocol<Duration>)?

    fileprivate init(shape: Shape?, generator: any RandomNumberGenerator & Sendable) {
      self.shape = shape
      self.generator = generator
      if case .own(let delays) = shape { own = Self.iterator(of: delays) }
    }

    private static func iterator(
      of delays: some Sequence<Duration>
    ) -> any IteratorProtocol<Duration> {
      delays.makeIterator()
    }

    /// Returns the next delay, or `nil` if the arguments of the backoff are not valid or a sequence
    /// of your own has ended.
    public mutating func next() -> Duration? {
      switch shape {
      case nil:
        return nil
      case .constant(let delay):
        return delay
      case .linear(let base, let increment, let cap):
        let delay = previous.map { Swift.min(cap, Saturating.sum($0, increment)) } ?? base
        previous = delay
        return delay
      case .own:
        return own?.next()
      case .equalJitter(let base, let factor, let cap):
        let bound = grow(from: base, by: factor, upTo: cap)
        return random(from: bound / 2, to: bound)
      case .exponential(let base, let factor, let cap):
        return grow(from: base, by: factor, upTo: cap)
      case .fullJitter(let base, let factor, let cap):
        return random(from: .zero, to: grow(from: base, by: factor, upTo: cap))
      }
    }

    private mutating func grow(
      from base: Duration, by factor: Double, upTo cap: Duration
    ) -> Duration {
      let grown = previous.map { Swift.min(cap, Swift.max($0, $0.multiplied(by: factor))) } ?? base
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
