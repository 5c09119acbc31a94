import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite struct BackoffTests {
  private func milliseconds(_ backoff: Backoff, _ count: Int) -> [Double] {
    backoff.prefix(count).map { $0 / .milliseconds(1) }
  }

  @Test func `all delays of a constant backoff are the same`() {
    #expect(milliseconds(.constant(.milliseconds(100)), 3) == [100, 100, 100])
    #expect(milliseconds(.constant(.zero), 2) == [0, 0])
  }

  @Test func `an exponential backoff grows up to its cap`() {
    let doubling = Backoff.exponential(base: .milliseconds(100), cap: .seconds(1))
    #expect(milliseconds(doubling, 6) == [100, 200, 400, 800, 1000, 1000])
    let slower = Backoff.exponential(base: .milliseconds(100), factor: 1.5, cap: .seconds(1))
    #expect(milliseconds(slower, 4) == [100, 150, 225, 337.5])
    let flat = Backoff.exponential(base: .milliseconds(100), factor: 1, cap: .seconds(1))
    #expect(milliseconds(flat, 3) == [100, 100, 100])
  }

  @Test func `a linear backoff grows by its increment up to its cap`() {
    let backoff = Backoff.linear(
      base: .milliseconds(100), increment: .milliseconds(50), cap: .milliseconds(220))
    #expect(milliseconds(backoff, 5) == [100, 150, 200, 220, 220])
    let endless = Backoff.linear(base: .zero, increment: .longest, cap: .longest)
    #expect(Array(endless.prefix(3)) == [.zero, .longest, .longest])
  }

  @Test func `equal jitter stays between half of the exponential bound and the bound`() {
    forAllSeeds { generator in
      let backoff = Backoff.equalJitter(
        base: .milliseconds(100), cap: .seconds(1), using: generator)
      let bounds = Backoff.exponential(base: .milliseconds(100), cap: .seconds(1))
      for (delay, bound) in zip(backoff.prefix(10), bounds) {
        try require(delay >= bound / 2 && delay <= bound, "\(delay), but the bound is \(bound)")
      }
    }
  }

  @Test func `a backoff of one's own has the delays of its sequence, and ends with it`() {
    let backoff = Backoff([.seconds(1), .zero, .seconds(5)])
    #expect(Array(backoff) == [.seconds(1), .zero, .seconds(5)])
    #expect(Array(backoff.dropFirst()) == [.zero, .seconds(5)])
    #expect(Array(Backoff(repeatElement(.seconds(2), count: 2))) == [.seconds(2), .seconds(2)])
    #expect(Array(Backoff(backoff)) == Array(backoff))
  }

  @Test func `an exponential backoff is exact and never overflows`() {
    let backoff = Backoff.exponential(base: .nanoseconds(1), cap: .seconds(Int64.max))
    let delays = Array(backoff.prefix(100))
    for (index, delay) in delays.prefix(50).enumerated() {
      #expect(delay == .nanoseconds(Int64(1) << index))
    }
    #expect(delays[99] == .nanoseconds(Int64.max))
  }

  @Test func `an exponential backoff never becomes shorter, also beyond 292 years`() {
    let base = Duration.seconds(500 * 365 * 86_400)
    let delays = Backoff.exponential(base: base, cap: base * 2).prefix(3)
    #expect(Array(delays) == [base, base, base])
  }

  @Test func `full jitter stays between zero and the exponential bound`() {
    forAllSeeds { generator in
      let backoff = Backoff.fullJitter(
        base: .milliseconds(100), cap: .seconds(1), using: generator)
      let bounds = Backoff.exponential(base: .milliseconds(100), cap: .seconds(1))
      for (delay, bound) in zip(backoff.prefix(10), bounds) {
        try require(delay >= .zero && delay <= bound, "\(delay), but the bound is \(bound)")
      }
    }
  }

  @Test func `jitter reaches both ends of its range`() {
    struct Constant: RandomNumberGenerator, Sendable {
      let value: UInt64
      mutating func next() -> UInt64 { value }
    }
    // Not zero, because the standard library may reject it and draw again for ever.
    let ends = [UInt64(1), .max].map { value in
      milliseconds(
        .fullJitter(base: .milliseconds(100), cap: .seconds(1), using: Constant(value: value)), 4)
    }
    #expect(ends == [[0, 0, 0, 0], [100, 200, 400, 800]])
  }

  @Test func `each iteration begins with the first delay and the same random numbers`() {
    let backoff = Backoff.fullJitter(
      base: .milliseconds(100), cap: .seconds(1), using: SplitMix64(seed: 7))
    #expect(Array(backoff.prefix(10)) == Array(backoff.prefix(10)))
  }

  @Test(arguments: [
    (Backoff.constant(.seconds(-1)), "'delay' is -1.0 seconds, but must be zero or positive."),
    (
      .exponential(base: .seconds(-1), cap: .seconds(1)),
      "'base' is -1.0 seconds, but must be zero or positive."
    ),
    (
      .exponential(base: .seconds(1), factor: 0.5, cap: .seconds(1)),
      "'factor' is 0.5, but must be 1 or more, and finite."
    ),
    (
      .fullJitter(base: .seconds(1), factor: .nan, cap: .seconds(1)),
      "'factor' is nan, but must be 1 or more, and finite."
    ),
    (
      .fullJitter(base: .seconds(1), factor: .infinity, cap: .seconds(1)),
      "'factor' is inf, but must be 1 or more, and finite."
    ),
    (
      .linear(base: .seconds(1), increment: .seconds(-1), cap: .seconds(1)),
      "'increment' is -1.0 seconds, but must be zero or positive."
    ),
    (
      .equalJitter(base: .seconds(1), factor: 0, cap: .seconds(1)),
      "'factor' is 0.0, but must be 1 or more, and finite."
    ),
    (
      .fullJitter(base: .seconds(2), cap: .seconds(1)),
      "'cap' is 1.0 seconds, but must be at least the base, 2.0 seconds."
    ),
  ])
  func `a backoff with an invalid argument is empty and names the argument`(
    backoff: Backoff, message: String
  ) {
    #expect(Array(backoff) == [])
    #expect(backoff.invalidArgument?.description == message)
  }
}
