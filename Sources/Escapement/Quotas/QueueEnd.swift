/// The quota after the last request in a queue has got its permits.
///
/// Requests for as many permits as each other are alike: it does not matter which of them leaves
/// the queue. The last instant is then left over, for the next one that joins. So nothing has to be
/// computed again.
struct QueueEnd {
  private struct Alike {
    let permits: Int
    /// When the requests get their permits, and then the instants that are left over.
    ///
    /// The entries before `first` have passed.
    var instants: ContiguousArray<Int64> = []
    var first = 0

    /// The instant of a request behind so many others, if it is known.
    func instant(behind count: Int) -> Int64? {
      instants.count - first > count ? instants[first + count] : nil
    }

    mutating func removeFirst() {
      first += 1
      // So that each instant is moved a constant number of times.
      guard first > instants.count / 2 else { return }
      instants.removeFirst(first)
      first = 0
    }
  }

  private var algorithm: QuotaAlgorithm
  private var at: Int64
  /// `nil` if requests for different numbers of permits wait, or the instants of the requests are
  /// not known.
  private var alike: Alike?

  /// The end of a queue of which only the sums are known.
  init(algorithm: QuotaAlgorithm, at: Int64) {
    self.algorithm = algorithm
    self.at = at
  }

  /// The end of a queue of requests for these numbers of permits.
  ///
  /// - Complexity: O(n) in the requests.
  init(serving requests: some Sequence<Int>, with algorithm: QuotaAlgorithm, from now: Int64) {
    self.init(algorithm: algorithm, at: now)
    for (count, permits) in zip(0..., requests) {
      if count == 0 { alike = Alike(permits: permits) }
      append(permits, at: self.algorithm.earliest(permits, from: at), behind: count)
    }
  }

  /// When a request that joins the queue now would get its permits, or `nil` if the end has to be
  /// computed again.
  func earliest(_ permits: Int, from now: Int64, behind count: Int) -> Int64? {
    guard let instant = alike?.instant(behind: count) else {
      return algorithm.earliest(permits, from: max(now, at))
    }
    return alike!.permits == permits ? instant : nil
  }

  /// A request joins the queue, which gets its permits at the instant that `earliest` has returned.
  mutating func append(_ permits: Int, at instant: Int64, behind count: Int) {
    guard alike?.instant(behind: count) == nil else { return }
    _ = algorithm.take(permits, at: instant)
    at = instant
    if alike?.permits == permits { alike!.instants.append(instant) } else { alike = nil }
  }

  /// The first request has got its permits.
  mutating func removeFirst() { alike?.removeFirst() }

  /// Whether the end is still right after a request has left the queue without permits.
  var isRightAfterLeaving: Bool { alike != nil }
}
