import CAllocations

/// Prints what a call takes: the median of 15 batches, and the allocations of one more.
func report(
  _ name: String, calls: Int = 1_000,
  _ call: nonisolated(nonsending) () async throws -> Void
) async throws {
  func batch() async throws {
    for _ in 0..<calls { try await call() }
  }
  try await batch()
  var times: [Double] = []
  for _ in 0..<15 {
    let start = ContinuousClock.now
    try await batch()
    times.append(start.duration(to: .now) / .nanoseconds(calls))
  }
  allocations_begin()
  try await batch()
  let allocations = Double(allocations_end()) / Double(calls)
  let columns = [
    name.padded(to: 44), "\(Int(times.sorted()[7]))".padded(to: -8),
    allocations_can_be_counted() ? "\((allocations * 10).rounded() / 10)".padded(to: -13) : "-",
  ]
  print(columns.joined())
}

extension String {
  /// The text with spaces behind it, or before it if the width is negative.
  fileprivate func padded(to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? spaces + self : self + spaces
  }
}
