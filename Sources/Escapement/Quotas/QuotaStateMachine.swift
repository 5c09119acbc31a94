/// The decisions of a quota limiter; instants are nanoseconds since it was created.
///
/// Who has to wait stands in a queue, each with the time at which it will get its permits: the first
/// as soon as there are enough, the next as soon as there are enough after that. Permits leave the
/// quota at exactly that time, whenever somebody looks, so that the outcome does not depend on when
/// tasks wake up. When somebody leaves the queue, those behind move up.
struct QuotaStateMachine<Waiter> {
  private struct Entry {
    let permits: Int
    /// `nil` for a reservation, whose owner knows when it is ready.
    let waiter: Waiter?
  }

  /// All permits that were given up to now.
  private var algorithm: QuotaAlgorithm
  private var queue = FIFO<Entry>()
  private var waiterCount = 0
  /// Nothing changes before this instant any more.
  private var settledUntil: Int64 = 0
  /// The algorithm as the last in the queue will leave it, and when; `nil` if it has to be worked
  /// out anew.
  private var end: (algorithm: QuotaAlgorithm, at: Int64)?
  /// Those who got their permits and have not been told yet.
  private(set) var granted: [Waiter] = []
  private var timer: (id: Int, wakeAt: Int64)?
  private var lastTimerID = 0

  init(algorithm: QuotaAlgorithm) {
    self.algorithm = algorithm
  }

  /// What became of a request for permits right now.
  enum Attempt {
    case taken(remaining: Int)
    case notBefore(Int64)
  }

  mutating func tryAcquire(_ permits: Int, now: Int64) -> Attempt {
    let now = advance(to: now)
    if queue.isEmpty, let remaining = algorithm.take(permits, at: now) {
      return .taken(remaining: remaining)
    }
    return .notBefore(earliest(permits, from: now))
  }

  /// What became of a request to wait for permits.
  enum Admission {
    case taken
    /// Waits under this name, and will have its permits at that time, or sooner.
    case queued(id: Int, readyAt: Int64)
    /// Would have to wait until then, which is too late.
    case refused(readyAt: Int64)
  }

  /// Takes permits, or queues up for them.
  ///
  /// - Parameter waiter: Who is told; `nil` makes a reservation.
  mutating func admit(
    _ permits: Int, now: Int64, before deadline: Int64 = .max, waiter: Waiter?
  ) -> Admission {
    let now = advance(to: now)
    if queue.isEmpty, algorithm.take(permits, at: now) != nil { return .taken }
    let readyAt = earliest(permits, from: now)
    guard readyAt <= deadline else { return .refused(readyAt: readyAt) }
    if queue.isEmpty {
      end = nil
    } else {
      _ = end?.algorithm.take(permits, at: readyAt)
      end?.at = readyAt
    }
    if waiter != nil { waiterCount += 1 }
    let id = queue.append(Entry(permits: permits, waiter: waiter))
    return .queued(id: id, readyAt: readyAt)
  }

  /// Leaves the queue, and returns `true`, or returns `false` if the permits have been given.
  mutating func cancel(_ id: Int, now: Int64) -> Bool {
    advance(to: now)
    guard let entry = queue.remove(id) else { return false }
    if entry.waiter != nil { waiterCount -= 1 }
    end = nil
    // Those behind may get their permits at this very moment.
    advance(to: now)
    return true
  }

  /// Forgets who has been granted permits; they are being told.
  mutating func takeGranted() -> [Waiter] {
    defer { granted = [] }
    return granted
  }

  /// Whether a limiter that is created now would behave the same.
  mutating func isIdle(now: Int64, capacity: Int) -> Bool {
    let now = advance(to: now)
    return queue.isEmpty && algorithm.earliest(capacity, from: now) <= now
  }
}

// MARK: - Time

extension QuotaStateMachine {
  /// Gives permits to all in the queue whose time has come; returns the present, which never goes
  /// back.
  @discardableResult
  private mutating func advance(to now: Int64) -> Int64 {
    let now = max(now, settledUntil)
    while !queue.isEmpty, let first = queue.first {
      let readyAt = algorithm.earliest(first.permits, from: settledUntil)
      guard readyAt <= now else { break }
      settledUntil = readyAt
      let remaining = algorithm.take(first.permits, at: readyAt)
      precondition(remaining != nil, "permits were not there when they should have been")
      queue.removeFirst()
      guard let waiter = first.waiter else { continue }
      waiterCount -= 1
      granted.append(waiter)
    }
    settledUntil = now
    return now
  }

  /// When permits would be given to somebody who queues up now.
  private mutating func earliest(_ permits: Int, from now: Int64) -> Int64 {
    guard !queue.isEmpty else { return algorithm.earliest(permits, from: now) }
    if end == nil {
      var (algorithm, at) = (algorithm, settledUntil)
      for entry in queue.elements {
        at = algorithm.earliest(entry.permits, from: at)
        _ = algorithm.take(entry.permits, at: at)
      }
      end = (algorithm, at)
    }
    return end!.algorithm.earliest(permits, from: max(now, end!.at))
  }
}

// MARK: - Waking

extension QuotaStateMachine {
  /// What has to be done so that those who wait are told in time.
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
    let wakeAt = algorithm.earliest(first.permits, from: settledUntil)
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

/// A queue whose elements can leave from anywhere, by their number.
struct FIFO<Element> {
  private var storage: [Int: Element] = [:]
  private var firstID = 0
  private var nextID = 0

  var isEmpty: Bool { storage.isEmpty }
  var first: Element? { storage[firstID] }
  var elements: some Sequence<Element> { (firstID..<nextID).lazy.compactMap { storage[$0] } }

  mutating func append(_ element: Element) -> Int {
    if storage.isEmpty { firstID = nextID }
    storage[nextID] = element
    nextID += 1
    return nextID - 1
  }

  mutating func removeFirst() {
    _ = remove(firstID)
  }

  mutating func remove(_ id: Int) -> Element? {
    guard let element = storage.removeValue(forKey: id) else { return nil }
    while firstID < nextID, storage[firstID] == nil { firstID += 1 }
    return element
  }
}
