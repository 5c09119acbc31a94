import _EscapementCore

/// What a process knows about its calls to the store of a shared quota.
///
/// It limits the number of calls, says when they have taken too long, and keeps permits that the store granted
/// when the caller waited no longer.
///
/// - Complexity: Each method takes amortised O(log n) in the calls.
struct SharedQuotaStateMachine<Call, Watch: AnyObject> {
  private struct Entry {
    let call: Call
    var isAwaited = true
    var deadline: TimerToken
  }

  private let maximumCalls: Int
  private let timeout: Int64
  private var calls: [Int: Entry] = [:]
  private var deadlines = TimerQueue<Int64, Int>()
  private var nextID = 0
  private var watch: (object: Watch, endsWhenIdle: Bool)?
  private var spares = SparePermits()

  /// - Parameters:
  ///   - maximumCalls: How many calls there may be.
  ///   - timeout: After which time a call is awaited no longer. After ten times that time it is given up.
  init(maximumCalls: Int, timeout: Int64) {
    self.maximumCalls = maximumCalls
    self.timeout = timeout
  }

  /// How a decision is made.
  enum Start: Hashable {
    case useSpare
    case call(Int)
    case refuse
  }

  mutating func begin(_ permits: Int, for key: String, _ call: Call, now: Int64) -> Start {
    if spares.take(permits, for: key, now: now) { return .useSpare }
    guard calls.count < maximumCalls else { return .refuse }
    nextID += 1
    calls[nextID] = Entry(call: call, deadline: deadlines.insert(nextID, at: now + timeout))
    return .call(nextID)
  }

  /// The store has answered, or will not.
  ///
  /// Returns the watch if it has to end now.
  mutating func ended(_ id: Int) -> Watch? {
    guard let entry = calls.removeValue(forKey: id) else { return nil }
    _ = deadlines.remove(entry.deadline)
    guard calls.isEmpty, let watch, watch.endsWhenIdle else { return nil }
    self.watch = nil
    return watch.object
  }

  /// The store granted permits to a caller that waits no longer.
  ///
  /// They are kept for one timeout for the next callers, as a late answer to them.
  mutating func granted(_ permits: Int, for key: String, now: Int64) {
    spares.add(permits, for: key, now: now, until: now + timeout)
  }
}

// MARK: - Timeouts

extension SharedQuotaStateMachine {
  /// Whether this watch has to begin: to call ``overdue(now:by:)``, and again at the instants that it returns.
  ///
  /// - Parameters:
  ///   - watch: The watch.
  ///   - endsWhenIdle: Whether it ends with the last call, and not when it finds no calls.
  mutating func begins(_ watch: Watch, endsWhenIdle: Bool) -> Bool {
    guard self.watch == nil, !calls.isEmpty else { return false }
    self.watch = (watch, endsWhenIdle)
    return true
  }

  /// The watch was cancelled.
  mutating func cancelled(_ watch: Watch) {
    if self.watch?.object === watch { self.watch = nil }
  }

  /// What has to happen now, and when to ask again.
  struct Overdue {
    /// Their callers wait no longer.
    var timedOut: [Call] = []
    /// They do not count any more, and have to be cancelled.
    var givenUp: [Call] = []
    /// When to ask again; `nil` if there is nothing to watch.
    var next: Int64?
  }

  mutating func overdue(now: Int64, by watch: Watch) -> Overdue {
    var overdue = Overdue()
    guard self.watch?.object === watch else { return overdue }
    while let deadline = deadlines.firstDeadline, deadline <= now {
      let id = deadlines.popFirst()!.element
      if calls[id]!.isAwaited {
        overdue.timedOut.append(calls[id]!.call)
        calls[id]!.isAwaited = false
        calls[id]!.deadline = deadlines.insert(id, at: deadline + timeout * 9)
      } else {
        overdue.givenUp.append(calls.removeValue(forKey: id)!.call)
      }
    }
    overdue.next = deadlines.firstDeadline
    if overdue.next == nil { self.watch = nil }
    return overdue
  }
}
