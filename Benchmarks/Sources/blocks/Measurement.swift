import BenchmarkSupport

/// What doing something once takes.
struct Measurement: Codable {
  let nanoseconds: Double
  /// `nil` where they cannot be counted.
  let allocations: Double?
  /// How many bytes of memory are in use afterwards for each; `nil` where they are not counted.
  let bytes: Double?
  /// How many nanoseconds the slowest takes; `nil` where each is not measured alone.
  let slowest: Double?

  /// Measures batches, of which the one in the middle counts.
  ///
  /// - Parameter batch: Does it many times, and returns how often.
  static nonisolated(nonsending) func of(
    batches: Int, _ batch: nonisolated(nonsending) () async throws -> Int
  ) async rethrows -> Measurement {
    // Once for what is set up once.
    _ = try await batch()
    var times: [Double] = []
    for _ in 0..<batches {
      let start = ContinuousClock.now
      let count = try await batch()
      times.append(start.duration(to: .now).nanoseconds / Double(count))
    }
    // Apart from the time, because counting takes time as well.
    var count = 0
    let allocations = try await AllocationCount.during { count = try await batch() }
    return Measurement(
      nanoseconds: times.median, allocations: allocations.map { Double($0) / Double(count) })
  }

  /// The medians of the measurements of several processes.
  init(medianOf runs: [Measurement]) {
    func median(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.median }
    self.init(
      nanoseconds: runs.map(\.nanoseconds).median,
      allocations: median(runs.compactMap(\.allocations)),
      bytes: median(runs.compactMap(\.bytes)), slowest: median(runs.compactMap(\.slowest)))
  }

  init(
    nanoseconds: Double, allocations: Double?, bytes: Double? = nil, slowest: Double? = nil
  ) {
    self.nanoseconds = nanoseconds
    self.allocations = allocations
    self.bytes = bytes
    self.slowest = slowest
  }
}
