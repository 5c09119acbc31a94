import TestSupport
import Testing
import _EscapementCore

/// Checks a property for many seeds, stops at the first failure, and reports its seed.
///
/// To reproduce a failure, check the property with that seed alone.
func forAllSeeds(
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ property: (inout SplitMix64) throws -> Void
) {
  for seed in 0..<UInt64(rounds(250)) {
    var generator = SplitMix64(seed: seed)
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

/// All sequences of the events up to a length, in the order of their lengths.
func sequences<Event>(of events: [Event], upTo length: Int) -> [[Event]] {
  var all: [[Event]] = [[]]
  var longest: [[Event]] = [[]]
  for _ in 0..<length {
    longest = longest.flatMap { sequence in events.map { sequence + [$0] } }
    all += longest
  }
  return all
}
