import EscapementTesting
import Foundation

/// How many calls come at once: a multiple of 100, set by `ESCAPEMENT_CROWD`.
let crowd = sizeOfCrowd(otherwise: 1_000)

/// The number that `ESCAPEMENT_CROWD` says, or another one.
func sizeOfCrowd(otherwise size: Int) -> Int {
  ProcessInfo.processInfo.environment["ESCAPEMENT_CROWD"].flatMap(Int.init) ?? size
}

extension VirtualTimeOptions {
  /// For a crowd, which an event loop handles in one go.
  ///
  /// That takes seconds beside other tests.
  static let crowd = Self(blockLimit: .seconds(600))
}
