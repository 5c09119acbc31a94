import BenchmarkSupport

/// How many tasks sleep, and how often each.
struct Shape: Hashable, CustomStringConvertible {
  let tasks: Int
  let sleeps: Int

  var sleepCount: Int { tasks * sleeps }

  /// More than all sleeps of one task can last.
  var longest: Duration { .milliseconds(18 * sleeps) }

  var description: String { "\(tasks.grouped) x \(sleeps.grouped)" }

  static let all = [
    Shape(tasks: 1, sleeps: 1_000_000), Shape(tasks: 1_000, sleeps: 1_000),
    Shape(tasks: 100_000, sleeps: 10), Shape(tasks: 1_000_000, sleeps: 1),
  ]

  static let quick = [
    Shape(tasks: 1, sleeps: 100_000), Shape(tasks: 1_000, sleeps: 100),
    Shape(tasks: 10_000, sleeps: 10), Shape(tasks: 100_000, sleeps: 1),
  ]
}

/// How long one task sleeps, again and again: 1 ms and pseudo-random nanoseconds up to 17.8 ms.
struct SleepDurations {
  private var state: UInt64

  init(ofTask index: Int) { state = UInt64(index) &* 2_654_435_761 }

  mutating func next() -> Duration { .nanoseconds(nextNanoseconds()) }

  mutating func nextNanoseconds() -> Int64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1
    return 1_000_000 + Int64(state >> 40)
  }
}
