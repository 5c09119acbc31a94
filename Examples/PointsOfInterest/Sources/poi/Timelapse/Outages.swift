import Foundation

/// Outages of a server, one after another without end, drawn from a seed.
///
/// An outage takes 5 minutes to 2 hours. The next one comes 2 to 10 hours after it.
struct Outages: Sequence, IteratorProtocol {
  private var end: Date
  private var generator: SeededGenerator

  init(after start: Date, seed: UInt64) {
    end = start
    generator = SeededGenerator(seed: seed)
  }

  mutating func next() -> DateInterval? {
    let start = end + TimeInterval(Int.random(in: 120...600, using: &generator) * 60)
    end = start + TimeInterval(Int.random(in: 5...120, using: &generator) * 60)
    return DateInterval(start: start, end: end)
  }

  /// The parts of the outages that are before `date`.
  func upTo(_ date: Date) -> [DateInterval] {
    prefix { $0.start < date }.map { DateInterval(start: $0.start, end: Swift.min($0.end, date)) }
  }
}
