import _EscapementCore

/// In which functions tasks begin.
final class TaskOrigins: Sendable {
  private let places: [UInt64: WaitingPlace]
  private let found = Lock<[UInt64: String]>([:])

  init(_ places: [UInt64: WaitingPlace] = [:]) { self.places = places }

  /// The function in which a task begins, such as `closure in PriceCache.refresh()`; `nil` if it is
  /// not known.
  ///
  /// - Complexity: O(1), but a task that is asked for the first time may take a millisecond.
  func function(of task: UInt64) -> String? {
    guard let place = places[task] else { return nil }
    if let known = found.withLock({ $0[task] }) { return known.isEmpty ? nil : known }
    let function = place.outermostFunction
    found.withLock { $0[task] = function ?? "" }
    return function
  }
}
