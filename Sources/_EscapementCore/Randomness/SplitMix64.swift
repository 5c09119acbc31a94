/// A random number generator that gives the same numbers for the same seed on every machine and in
/// every version of this package.
///
/// SplitMix64 of Steele, Lea and Flood (Fast Splittable Pseudorandom Number Generators, OOPSLA
/// 2014).
package struct SplitMix64: RandomNumberGenerator {
  /// The increment of the state for each number.
  package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// A number below `count`: the upper half of the product of `count` and the next number.
  ///
  /// Not the standard library's, whose algorithm may change with its version.
  package mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// A number each of whose bits depends on all bits of the given one.
  package static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
