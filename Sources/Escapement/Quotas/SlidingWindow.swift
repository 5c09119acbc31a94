/// The permits of the last window, by the time at which they were granted.
struct SlidingWindow {
  private struct Entry {
    let time: Int64
    /// The permits that were granted until then.
    var total: Int
  }

  let limit: Int
  private let window: Int64
  private var entries: ContiguousArray<Entry> = []
  /// The index of the first entry that is still in the window.
  private var first = 0
  /// The permits that are not in the window any more.
  private var expired = 0

  init(limit: Int, window: Int64) {
    self.limit = limit
    self.window = window
  }

  private var used: Int { (entries.last?.total ?? expired) - expired }

  mutating func take(_ permits: Int, at now: Int64) -> Int? {
    while first < entries.count, entries[first].time <= now - window {
      expired = entries[first].total
      first += 1
    }
    let left = limit - used - permits
    guard left >= 0 else { return nil }
    guard permits > 0 else { return left }
    removeExpired()
    let total = expired + limit - left
    if entries.count > first, entries[entries.count - 1].time == now {
      entries[entries.count - 1].total = total
    } else {
      entries.append(Entry(time: now, total: total))
    }
    return left
  }

  /// - Complexity: O(log n) in the permits of the window.
  func earliest(_ permits: Int, from now: Int64) -> Int64 {
    let missing = permits - (limit - used)
    guard missing > 0 else { return now }
    // The first entry with whose end enough permits come back.
    var (low, high) = (first, entries.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].total - expired < missing { low = middle + 1 } else { high = middle }
    }
    return max(now, (WideInteger(entries[low].time) + WideInteger(window)).clamped)
  }

  /// Removes the entries that are old when they are more than half, so that each entry is moved at
  /// most once.
  ///
  /// The totals begin again, so that they do not overflow.
  private mutating func removeExpired() {
    guard first > entries.count / 2 else { return }
    entries.removeFirst(first)
    first = 0
    for index in entries.indices { entries[index].total -= expired }
    expired = 0
  }
}

extension SlidingWindow {
  /// The grants in the window, the oldest first.
  var grants: [(time: Int64, permits: Int)] {
    var before = expired
    return entries[first...].map { entry in
      defer { before = entry.total }
      return (entry.time, entry.total - before)
    }
  }

  /// Adds a grant that comes after all others; returns whether there may be such a one.
  mutating func add(_ time: Int64, _ permits: Int64, until now: Int64) -> Bool {
    guard (entries.last?.time ?? -1) < time, time <= now, permits > 0, permits <= limit - used
    else { return false }
    entries.append(Entry(time: time, total: used + Int(permits)))
    return true
  }

  func isFull(at now: Int64) -> Bool { earliest(limit, from: now) <= now }

  /// Removes the oldest permits.
  ///
  /// It is not known which of the permits come back. Removing the oldest ones is right in any case:
  /// the others stay in the window for at least as long as they should.
  mutating func credit(_ permits: Int) {
    expired += min(permits, used)
    while first < entries.count, entries[first].total <= expired { first += 1 }
  }

  mutating func empty(at now: Int64) {
    self = SlidingWindow(limit: limit, window: window)
    _ = take(limit, at: now)
  }

  /// Serves requests for one permit that wait, and returns the instant of the last one, or `nil` if
  /// there are fewer of them than grants in the window.
  ///
  /// All permits of the window are taken. Each comes back one window after it was granted, is
  /// granted again at once, and so on.
  mutating func serve(singles count: Int) -> Int64? {
    guard entries.count - first < count else { return nil }
    let (rounds, rest) = (count / limit, count % limit)
    // In the last round, only the oldest permits are granted once more.
    let again = expired + rest
    var later: ContiguousArray<Entry> = []
    var latest: ContiguousArray<Entry> = []
    var total = expired
    for entry in entries[first...] {
      if entry.total > again {
        later.append(Entry(time: time(entry.time, rounds), total: entry.total))
      }
      if total < again {
        let end = min(entry.total, again) + limit
        latest.append(Entry(time: time(entry.time, rounds + 1), total: end))
      }
      total = entry.total
    }
    (entries, first, expired) = (later + latest, 0, again)
    return entries[entries.count - 1].time
  }

  private func time(_ time: Int64, _ rounds: Int) -> Int64 {
    (WideInteger(time) + WideInteger(window, times: Int64(rounds))).clamped
  }
}
