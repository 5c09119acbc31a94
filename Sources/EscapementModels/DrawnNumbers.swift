import EscapementVirtualTime
import _EscapementCore

/// A generator of random numbers that are decisions of the schedule, where schedules are explored.
///
/// They become small with the schedule, and are the same in its replay.
public struct DrawnNumbers: RandomNumberGenerator, Sendable {
  /// So many numbers are decisions.
  ///
  /// As many are drawn whether they are used or not, so that fewer calls do not change the
  /// arguments of others.
  private static let count = 4

  private var drawn: [Int]
  private var others: SplitMix64

  init(seed: UInt64) {
    others = SplitMix64(seed: seed)
    drawn = (1...Self.count).compactMap { _ in drawNumber() }
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    guard !drawn.isEmpty else { return others.next() }
    let number = UInt64(drawn.removeFirst())
    // The lowest one that no function of the standard library draws again.
    guard number > 0 else { return 1 }
    var rest = SplitMix64(seed: number)
    return number << 48 | rest.next() >> 16
  }
}

/// Draws a number of 16 bits, all of them as likely; `nil` where nothing is drawn.
///
/// The usual one is 0.
func drawNumber() -> Int? {
  let most = 1 << 16
  return draw(most - 1, probability: 1 - 1 / Double(most))
}
