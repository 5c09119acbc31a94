/// The permits of a quota in a store, which decide as the script and the function do.
///
/// All times are in microseconds.
struct StoredPermits {
  private var algorithm: QuotaAlgorithm
  /// The time of the last grant.
  private(set) var settledAt: Int64
  /// In which time the empty quota fills.
  let span: Int64

  private init(of quota: Quota, span: Int64, now: Int64) {
    // The limiter has checked the quota.
    algorithm = try! quota.makeAlgorithm()
    settledAt = now
    self.span = span
  }

  /// Takes permits, if there are enough.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - quota: The quota.
  ///   - span: In which time the empty quota fills.
  ///   - permits: What the store knows; nothing of a quota that is full.
  ///   - now: The present instant.
  /// - Returns: The reply of the store.
  static func take(
    _ count: Int, of quota: Quota, span: Int64, from permits: inout Self?, now: Int64
  ) -> [Int64] {
    if let last = permits?.settledAt, last - now > span {
      permits = Self(of: quota, span: span, now: now)
      permits!.algorithm.empty(at: now * 1_000)
    }
    let time = max(permits?.settledAt ?? now, now)
    // A denial changes nothing. The state is changed in its place: a copy of a window may be large.
    let earliest = (permits ?? Self(of: quota, span: span, now: now)).algorithm
      .earliest(count, from: time * 1_000)
    guard earliest <= time * 1_000 else { return [0, (earliest - time * 1_000 + 999) / 1_000] }
    if permits == nil { permits = Self(of: quota, span: span, now: now) }
    permits!.settledAt = time
    let remaining = permits!.algorithm.take(count, at: time * 1_000)!
    return [1, Int64(remaining)]
  }
}

// MARK: - As numbers

extension StoredPermits {
  /// The time of the last grant, and the numbers of the parts of the quota.
  var numbers: [Int64] { [settledAt] + algorithm.numbers }

  /// Fails if the numbers are not those of such a quota.
  init?(_ numbers: [Int64], of quota: Quota, span: Int64) {
    guard let time = numbers.first, 0...(.max / 1_000) ~= time else { return nil }
    self.init(of: quota, span: span, now: time)
    var rest = numbers.dropFirst()
    guard algorithm.restore(from: &rest, at: time * 1_000), rest.isEmpty else { return nil }
  }
}

extension QuotaAlgorithm {
  fileprivate var numbers: [Int64] {
    switch self {
    case .smooth(let smooth): smooth.fullAt.halves
    case .interval(let interval): [Int64(interval.tokens), interval.nextRefill]
    case .window(let window):
      [Int64(window.grants.count)] + window.grants.flatMap { [$0.time, Int64($0.permits)] }
    case .all(let all): all.flatMap(\.numbers)
    case .changing: preconditionFailure("A quota was read while a change was in progress.")
    }
  }

  /// Takes the numbers of this quota from the first ones; returns whether they are such.
  fileprivate mutating func restore(from numbers: inout ArraySlice<Int64>, at time: Int64) -> Bool {
    switch self {
    case .smooth(var smooth):
      guard let high = numbers.popFirst(), let low = numbers.popFirst() else { return false }
      smooth.fullAt = WideInteger(halves: high, low)
      self = .smooth(smooth)
      return smooth.isValid(at: time)
    case .interval(var interval):
      guard let tokens = numbers.popFirst(), let next = numbers.popFirst() else { return false }
      interval.tokens = Int(tokens)
      interval.nextRefill = next
      self = .interval(interval)
      return interval.isValid(at: time)
    case .window(var window):
      guard let count = numbers.popFirst(), 0...numbers.count / 2 ~= Int(count) else {
        return false
      }
      for _ in 0..<count {
        guard window.add(numbers.popFirst()!, numbers.popFirst()!, until: time) else {
          return false
        }
      }
      self = .window(window)
      return true
    case .all(var all):
      for index in all.indices {
        guard all[index].restore(from: &numbers, at: time) else { return false }
      }
      self = .all(all)
      return true
    case .changing: preconditionFailure("A quota was read while a change was in progress.")
    }
  }
}
