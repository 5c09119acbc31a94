/// The sums over the requests in the queue of a quota.
///
/// For the usual queues they are enough to know when the last request gets its permits.
struct WaitingRequests {
  /// The most permits that a request may ask for.
  let capacity: Int
  private(set) var count = 0
  /// Correct as long as ``sumFits``.
  private(set) var permits = 0
  private var singles = 0
  private var wholes = 0

  init(capacity: Int) { self.capacity = capacity }

  var sumFits: Bool { count <= Int.max / capacity }

  /// Whether each request asks for one permit.
  var areSingle: Bool { singles == count }

  /// Whether each request asks for all permits.
  var areWhole: Bool { wholes == count }

  /// Whether no request asks for all permits.
  var arePartial: Bool { wholes == 0 }

  mutating func add(_ permits: Int) { change(permits, by: 1) }

  mutating func remove(_ permits: Int) { change(permits, by: -1) }

  private mutating func change(_ permits: Int, by number: Int) {
    count += number
    self.permits &+= number * permits
    if permits == 1 { singles += number }
    if permits == capacity { wholes += number }
  }
}

extension QuotaAlgorithm {
  /// The state after all waiting requests have got their permits.
  ///
  /// At least one request waits, and the first one cannot be served now. Returns `nil` if the sums
  /// do not tell.
  ///
  /// - Complexity: O(1); for a sliding window, O(n) in the permits of the window, if they are fewer
  ///   than the requests.
  func afterServing(_ requests: WaitingRequests, from now: Int64) -> QueueEnd? {
    switch self {
    case .smooth(var smooth):
      guard let end = smooth.serve(requests, from: now) else { return nil }
      return QueueEnd(algorithm: .smooth(smooth), at: end)
    case .interval(var interval):
      guard requests.areSingle else { return nil }
      let end = interval.serve(singles: requests.count)
      return QueueEnd(algorithm: .interval(interval), at: end)
    case .window(var window):
      guard requests.areSingle, let end = window.serve(singles: requests.count) else { return nil }
      return QueueEnd(algorithm: .window(window), at: end)
    case .all: return nil
    case .changing: preconditionFailure("A quota was read while a change was in progress.")
    }
  }
}
