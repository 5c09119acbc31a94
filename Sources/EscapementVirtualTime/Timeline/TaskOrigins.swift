import _EscapementCore

/// In which functions tasks begin.
final class TaskOrigins: Sendable {
  private let places: [WaitingPlace]
  /// The indexes of the places, from 1.
  private let indexes: [UInt64: UInt32]
  private let found = Lock<[UInt32: Function]>([:])

  private struct Function {
    let full: String
    let short: String
  }

  init(_ indexes: [UInt64: UInt32] = [:], in places: [WaitingPlace] = []) {
    self.indexes = indexes
    self.places = places
  }

  /// The function in which a task begins, such as `closure in PriceCache.refresh(every:)`; `nil` if
  /// it is not known.
  ///
  /// - Complexity: O(1), but a place that is asked for the first time may take a millisecond.
  func function(of task: UInt64) -> String? { find(task)?.full }

  /// Of `closure in PriceCache.refresh(every:)`, the words `PriceCache.refresh`: most tasks begin in
  /// closures.
  func shortFunction(of task: UInt64) -> String? { find(task)?.short }

  /// Tells the functions apart in which tasks begin.
  func index(of task: UInt64) -> UInt32? { indexes[task] }

  private func find(_ task: UInt64) -> Function? {
    guard let index = indexes[task] else { return nil }
    let known = found.withLock { $0[index] }
    if let known { return known.full.isEmpty ? nil : known }
    let full = places[Int(index) - 1].outermostFunction ?? ""
    let short = full.replacing(#/^closure in |\([^()]*\)$/#, with: "")
    let function = Function(full: full, short: short)
    found.withLock { $0[index] = function }
    return full.isEmpty ? nil : function
  }
}
