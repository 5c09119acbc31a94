extension QuotaAlgorithm {
  /// Takes as many permits as were taken of another quota, as if they had been taken now.
  ///
  /// If both consist of as many quotas, each takes what was taken of the one in its place.
  /// Otherwise each takes the largest of these numbers, so that none forgets what was taken.
  mutating func inherit(from other: QuotaAlgorithm, at now: Int64) {
    let taken = other.parts.map { part in
      var part = part
      return part.capacity - part.available(at: now)
    }
    let count = parts.count
    let permits = taken.count == count ? taken : Array(repeating: taken.max()!, count: count)
    var rest = permits[...]
    takeOfEach(&rest, at: now)
  }

  /// The quotas of which this one consists.
  private var parts: [QuotaAlgorithm] {
    if case .all(let all) = self { all.flatMap(\.parts) } else { [self] }
  }

  /// The most permits that one of the parts grants at once.
  private var capacity: Int {
    switch self {
    case .smooth(let smooth): smooth.capacity
    case .interval(let interval): interval.capacity
    case .window(let window): window.limit
    case .all, .changing: preconditionFailure("The capacity of several quotas was read.")
    }
  }

  /// Takes permits of each part, as far as it has any, and removes their number.
  private mutating func takeOfEach(_ permits: inout ArraySlice<Int>, at now: Int64) {
    guard case .all(var all) = self else {
      _ = take(min(permits.removeFirst(), capacity), at: now)
      return
    }
    for index in all.indices { all[index].takeOfEach(&permits, at: now) }
    self = .all(all)
  }
}
