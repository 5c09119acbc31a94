import TestSupport
import Testing

@testable import Escapement

@Suite struct BackoffTests {
  private func milliseconds(_ backoff: Backoff, _ count: Int) -> [Double] {
    backoff.prefix(count).map { $0 / .milliseconds(1) }
  }

  @Test func `a constant backoff stays the same`() {
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

  @Test func `an exponential backoff is exact and never overflows`() {
    let backoff = Backoff.exponential(base: .nanoseconds(1), cap: .seconds(Int64.max))
    let delays = Array(backoff.prefix(100))
    for (index, delay) in delays.prefix(50).enumerated() {
      #expect(delay == .nanoseconds(Int64(1) << index))
    }
    #expect(delays[99] == .nanoseconds(Int64.max))
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

  @Test func `decorrelated jitter stays between the base and three times the delay before`() {
    forAllSeeds { generator in
      let base = Duration.milliseconds(100)
      let cap = Duration.seconds(1)
      var previous = base
      for delay in Backoff.decorrelatedJitter(base: base, cap: cap, using: generator).prefix(10) {
        try require(
          delay >= base && delay <= min(cap, previous * 3), "\(delay) after \(previous)")
        previous = delay
      }
    }
  }

  @Test func `jitter reaches both ends of its range`() {
    struct Constant: RandomNumberGenerator, Sendable {
      let value: UInt64
      mutating func next() -> UInt64 { value }
    }
    // Not zero, which the standard library may draw again and again.
    let ends = [UInt64(1), .max].map { value in
      milliseconds(
        .fullJitter(base: .milliseconds(100), cap: .seconds(1), using: Constant(value: value)), 4)
    }
    #expect(ends == [[0, 0, 0, 0], [100, 200, 400, 800]])
  }

  @Test func `each pass begins anew, also with its random numbers`() {
    let backoff = Backoff.fullJitter(
      base: .milliseconds(100), cap: .seconds(1), using: SplitMix(seed: 7))
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
      .decorrelatedJitter(base: .seconds(2), cap: .seconds(1)),
      "'cap' is 1.0 seconds, but must be at least the base, 2.0 seconds."
    ),
  ])
  func `arguments that cannot work make no delays and are named`(
    backoff: Backoff, message: String
  ) {
    #expect(Array(backoff) == [])
    #expect(backoff.invalidArgument?.description == message)
  }
}
