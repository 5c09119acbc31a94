import Testing

/// A small generator whose sequence depends on nothing but its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Runs a property for many seeds, and stops at the first that fails, naming the seed.
///
/// To replay, call the property with that seed alone.
func forAllSeeds(
  count: UInt64 = 10_000,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ property: (inout SeededGenerator) throws -> Void
) {
  for seed in 0..<count {
    var generator = SeededGenerator(seed: seed)
    do {
      try property(&generator)
    } catch {
      Issue.record("seed \(seed): \(error)", sourceLocation: sourceLocation)
      return
    }
  }
}

/// A property that does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  guard condition else { throw Violation(description: description()) }
}

/// All sequences of the events up to a length, the short ones first.
func sequences<Event>(of events: [Event], upTo length: Int) -> [[Event]] {
  var all: [[Event]] = [[]]
  var longest: [[Event]] = [[]]
  for _ in 0..<length {
    longest = longest.flatMap { sequence in events.map { sequence + [$0] } }
    all += longest
  }
  return all
}
