/// The generator from which schedules are drawn: SplitMix64 of Steele, Lea and Flood (OOPSLA 2014).
///
/// The same seed gives the same numbers on every machine and in every version of this package.
struct ScheduleGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below `count`: the upper half of the product of `count` and the next number.
  ///
  /// Not the standard library's, whose algorithm may change with its version.
  mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
