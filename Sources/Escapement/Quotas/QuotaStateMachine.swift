/// The decisions of a quota limiter.
///
/// Instants are nanoseconds since the limiter was created.
///
/// Requests that have to wait are in a queue. The first request gets its permits as soon as enough
/// are available, the next one as soon as enough are available after that. The machine takes the
/// permits from the quota at exactly that instant, even if its next method is called later. So the
/// outcome does not depend on when tasks wake up. When a request leaves the queue, the requests
/// behind it move up.
struct QuotaStateMachine<Waiter> {
  private struct Entry {
    let permits: Int
    /// The task to resume; `nil` for a reservation, which knows its own time.
    let waiter: Waiter?
  }

  /// The quota after all permits that were granted until `settledUntil`.
  private var algorithm: QuotaAlgorithm
  private var queue = FIFO<Entry>()
  private var waiting: WaitingRequests
  private var waiterCount = 0
  /// The latest instant that the machine was told.
  ///
  /// Everything before it is decided.
  private var settledUntil: Int64 = 0
  /// No permits are granted before this instant.
  private var closedUntil = Int64.min
  /// The quota after the last request in the queue; `nil` if it has to be computed again.
  private var end: QueueEnd?
  /// The tasks that have got their permits and have not been resumed yet.
  private(set) var granted: [Waiter] = []
  private var timer: (id: Int, wakeAt: Int64)?
  private var lastTimerID = 0

  init(algorithm: QuotaAlgorithm, capacity: Int, settledUntil: Int64 = 0) {
    self.algorithm = algorithm
    waiting = WaitingRequests(capacity: capacity)
    self.settledUntil = settledUntil
  }

  /// The state of the quota after all granted permits.
  var memory: QuotaMemory { algorithm.memory }

  /// The result of a request that does not wait.
  enum Attempt {
    case taken(remaining: Int)
    case notBefore(Int64)
  }

  mutating func tryAcquire(_ permits: Int, now: Int64) -> Attempt {
    let now = advance(to: now)
    if queue.isEmpty, now >= closedUntil, let remaining = algorithm.take(permits, at: now) {
      return .taken(remaining: remaining)
    }
    return .notBefore(earliest(permits, from: now))
  }

  /// Takes as many permits as there are, up to a number, and returns how many it has taken.
  mutating func tryAcquire(upTo maximum: Int, now: Int64) -> Int {
    let permits = min(maximum, remaining(now: now))
    if permits > 0 { _ = tryAcquire(permits, now: now) }
    return permits
  }

  /// The result of a request that waits.
  enum Admission {
    case taken
    /// The request is in the queue under this number, and gets its permits at that instant or
    /// sooner.
    ///
    /// The instant is `nil` if the request did not ask for it and it is not known.
    case queued(id: Int, readyAt: Int64?)
    /// The request would get its permits at that instant, which is after its deadline.
    case refused(readyAt: Int64)
  }

  /// Takes permits, or adds a request to the queue.
  ///
  /// - Parameters:
  ///   - permits: The number of permits.
  ///   - now: The present instant.
  ///   - deadline: The latest instant at which the permits are of use.
  ///   - waiter: The task to resume; `nil` for a reservation.
  mutating func admit(
    _ permits: Int, now: Int64, before deadline: Int64 = .max, waiter: Waiter?
  ) -> Admission {
    let now = advance(to: now)
    // Permits are of no use after the deadline, even if they are available.
    if queue.isEmpty, now >= closedUntil, now <= deadline,
      algorithm.take(permits, at: now) != nil
    {
      return .taken
    }
    // A task without a deadline does not ask for its time, which may take long to compute.
    let isTimeNeeded = waiter == nil || deadline != .max
    let readyAt =
      isTimeNeeded
      ? earliest(permits, from: now) : end?.earliest(permits, from: now, behind: waiting.count)
    if let readyAt {
      guard readyAt <= deadline else { return .refused(readyAt: readyAt) }
      end?.append(permits, at: readyAt, behind: waiting.count)
    } else {
      end = nil
    }
    if waiter != nil { waiterCount += 1 }
    waiting.add(permits)
    let id = queue.append(Entry(permits: permits, waiter: waiter))
    return .queued(id: id, readyAt: readyAt)
  }

  /// Removes a request from the queue.
  ///
  /// Returns `false` if it has already got its permits.
  mutating func cancel(_ id: Int, now: Int64) -> Bool {
    advance(to: now)
    guard let entry = queue.remove(id) else { return false }
    if entry.waiter != nil { waiterCount -= 1 }
    waiting.remove(entry.permits)
    if queue.isEmpty || end?.isRightAfterLeaving == false { end = nil }
    // The requests behind it may get their permits now.
    advance(to: now)
    return true
  }

  /// Returns the tasks that have got their permits, and forgets them.
  ///
  /// The caller resumes them.
  mutating func takeGranted() -> [Waiter] {
    defer { granted = [] }
    return granted
  }

  /// Whether the limiter behaves like a new one.
  mutating func isIdle(now: Int64) -> Bool {
    let now = advance(to: now)
    return queue.isEmpty && now >= closedUntil && algorithm.isFull(at: now)
  }
}

// MARK: - Changing the quota

extension QuotaStateMachine {
  /// The most permits that a request may ask for.
  var capacity: Int { waiting.capacity }

  /// How many permits a request could take now.
  mutating func remaining(now: Int64) -> Int {
    let now = advance(to: now)
    return queue.isEmpty && now >= closedUntil ? algorithm.available(at: now) : 0
  }

  /// Gives permits back that were taken.
  mutating func credit(_ permits: Int, now: Int64) {
    let now = advance(to: now)
    algorithm.credit(permits, at: now)
    end = nil
    // The waiting requests may get their permits now.
    advance(to: now)
  }

  /// Takes all permits, and grants none until an instant.
  mutating func drain(until instant: Int64, now: Int64) {
    let now = advance(to: now)
    _ = algorithm.take(algorithm.available(at: now), at: now)
    closedUntil = max(closedUntil, instant)
    end = nil
  }

  /// Goes on with another quota, of which as many permits are taken as of the previous one.
  ///
  /// Returns the tasks whose requests are larger than the new quota. The caller resumes them.
  mutating func replace(
    _ algorithm: QuotaAlgorithm, capacity: Int, now: Int64
  ) -> [(waiter: Waiter, permits: Int)] {
    let now = advance(to: now)
    var algorithm = algorithm
    algorithm.inherit(from: self.algorithm, at: now)
    self.algorithm = algorithm
    waiting = WaitingRequests(capacity: capacity)
    var refused: [(waiter: Waiter, permits: Int)] = []
    for (id, entry) in queue.numbered {
      guard entry.permits > capacity else {
        waiting.add(entry.permits)
        continue
      }
      _ = queue.remove(id)
      guard let waiter = entry.waiter else { continue }
      waiterCount -= 1
      refused.append((waiter, entry.permits))
    }
    end = nil
    advance(to: now)
    return refused
  }
}

// MARK: - Time

extension QuotaStateMachine {
  /// Grants permits to all requests whose time has come.
  ///
  /// Returns the present, which never moves back.
  @discardableResult
  private mutating func advance(to now: Int64) -> Int64 {
    let now = max(now, settledUntil)
    while !queue.isEmpty, let first = queue.first {
      let readyAt = algorithm.earliest(first.permits, from: nextGrant)
      // What is ready at the end of the range never comes.
      guard readyAt <= now, readyAt < .max else { break }
      settledUntil = readyAt
      let remaining = algorithm.take(first.permits, at: readyAt)
      precondition(
        remaining != nil, "A quota refused permits at the instant that it had computed for them.")
      queue.removeFirst()
      waiting.remove(first.permits)
      if queue.isEmpty { end = nil } else { end?.removeFirst() }
      guard let waiter = first.waiter else { continue }
      waiterCount -= 1
      granted.append(waiter)
    }
    settledUntil = now
    return now
  }

  /// The instant at which a request that joins the queue now would get its permits.
  ///
  /// - Complexity: O(1) while all requests ask for as many permits. Otherwise, after one of them
  ///   was cancelled, ``QuotaAlgorithm/afterServing(_:from:)``, or O(n) in the waiting requests if
  ///   the end of the queue depends on their order.
  private mutating func earliest(_ permits: Int, from now: Int64) -> Int64 {
    guard !queue.isEmpty else { return algorithm.earliest(permits, from: max(now, closedUntil)) }
    if let known = end?.earliest(permits, from: now, behind: waiting.count) { return known }
    // The sums are only enough if the first request waits for permits, and not for the limiter to
    // open.
    let end =
      closedUntil <= settledUntil
      ? algorithm.afterServing(waiting, from: settledUntil) ?? endAfterEach : endAfterEach
    self.end = end
    return end.earliest(permits, from: now, behind: waiting.count)!
  }

  /// The earliest instant at which permits may be granted.
  private var nextGrant: Int64 { max(settledUntil, closedUntil) }

  private var endAfterEach: QueueEnd {
    QueueEnd(serving: queue.elements.lazy.map(\.permits), with: algorithm, from: nextGrant)
  }
}

// MARK: - Waking

extension QuotaStateMachine {
  /// How the timer has to change so that waiting tasks are resumed in time.
  enum TimerChange {
    case none
    case cancel
    case arm(id: Int, wakeAt: Int64)
  }

  mutating func updateTimer() -> TimerChange {
    guard waiterCount > 0, let first = queue.first else {
      guard timer != nil else { return .none }
      timer = nil
      return .cancel
    }
    let wakeAt = algorithm.earliest(first.permits, from: nextGrant)
    guard timer?.wakeAt != wakeAt else { return .none }
    lastTimerID += 1
    timer = (lastTimerID, wakeAt)
    return .arm(id: lastTimerID, wakeAt: wakeAt)
  }

  func isCurrentTimer(_ id: Int) -> Bool { timer?.id == id }

  mutating func timerFired(_ id: Int, now: Int64) {
    if timer?.id == id { timer = nil }
    advance(to: now)
  }
}
