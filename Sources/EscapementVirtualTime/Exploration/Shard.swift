/// A part of the seeds, so that processes or machines explore together without a coordinator.
///
/// Part 3 of 16 has the third, the nineteenth, ... seed.
public struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The number of the part, from 1.
  public let number: Int
  /// How many parts there are.
  public let count: Int

  /// All seeds.
  public static let all = Shard(number: 1, of: 1)!

  /// Creates a part, or returns `nil` if `number` is not in `1...count`.
  public init?(number: Int, of count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// The seeds of this part among so many seeds.
  ///
  /// - Parameters:
  ///   - seedCount: How many seeds all parts have together.
  ///   - first: The first seed.
  /// - Returns: The seeds, drawn one by one: an exploration may have more than fit in memory.
  func seeds(
    among seedCount: Int, from first: UInt64 = 0
  ) -> some RandomAccessCollection<UInt64> {
    let last = (seedCount - number) / count
    return (0..<(seedCount < number ? 0 : last + 1)).lazy.map { [number, count] in
      first &+ UInt64(number - 1 + $0 * count)
    }
  }

  /// The text, as `ESCAPEMENT_SHARD` has it: `3/16`.
  public var description: String { "\(number)/\(count)" }
}
