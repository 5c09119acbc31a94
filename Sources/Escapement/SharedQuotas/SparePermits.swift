/// Permits whose callers did not wait for them, by key, until they expire.
///
/// - Complexity: Each method takes amortised O(1).
struct SparePermits {
  private struct Spare {
    let permits: Int
    let end: Int64
  }

  /// The permits of one key.
  private struct Key {
    var spares = FIFO<Spare>()
    /// How many permits of the first spare have been taken.
    var taken = 0
    /// How many permits can be taken.
    var sum = 0

    mutating func removeFirst() {
      guard let first = spares.first else { return }
      sum -= first.permits - taken
      taken = 0
      spares.removeFirst()
    }

    mutating func removeExpired(now: Int64) {
      while let first = spares.first, first.end <= now { removeFirst() }
    }
  }

  private var keys: [String: Key] = [:]
  /// The ends of all spares that were added, the earliest first.
  private var ends = FIFO<(key: String, end: Int64)>()

  /// Takes the oldest permits of a key, or returns `false` if there are not enough.
  mutating func take(_ permits: Int, for name: String, now: Int64) -> Bool {
    guard !keys.isEmpty, var key = keys.removeValue(forKey: name) else { return false }
    defer { if key.sum > 0 { keys[name] = key } }
    key.removeExpired(now: now)
    guard key.sum >= permits else { return false }
    key.taken += permits
    key.sum -= permits
    while let first = key.spares.first, first.permits <= key.taken {
      let rest = key.taken - first.permits
      key.taken = first.permits
      key.removeFirst()
      key.taken = rest
    }
    return true
  }

  /// Adds permits, and forgets those that have expired.
  ///
  /// The ends must not go backwards.
  mutating func add(_ permits: Int, for name: String, now: Int64, until end: Int64) {
    while let first = ends.first, first.end <= now {
      ends.removeFirst()
      keys[first.key]?.removeExpired(now: now)
      if keys[first.key]?.sum == 0 { keys[first.key] = nil }
    }
    _ = keys[name, default: Key()].spares.append(Spare(permits: permits, end: end))
    keys[name]!.sum += permits
    _ = ends.append((name, end))
  }

  /// The number of keys that have permits, and of ends that are kept.
  var counts: (keys: Int, ends: Int) { (keys.count, ends.elements.reduce(0) { sum, _ in sum + 1 }) }
}
