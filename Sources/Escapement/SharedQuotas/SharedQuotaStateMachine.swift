import _EscapementCore

/// The decisions for which a process has asked a store.
///
/// A *request* comes from a caller, a *call* goes to the store. Up to two calls for a key are under
/// way at a time: one is decided while the answer to the other returns. Requests that come
/// meanwhile wait, and the next call asks for their permits at once. If the store denies them, the
/// next call asks for the first request alone, so that each request gets the decision that it would
/// have got alone. A denial decides all requests of the call for as many permits.
///
/// It also limits the number of requests, says when they have taken too long, and keeps permits
/// that the store granted when their caller waited no longer.
///
/// - Complexity: Each method takes amortised O(log n) in the requests.
struct SharedQuotaStateMachine<Request> {
  /// A request for the store.
  struct Call {
    let id: Int
    let key: String
    let permits: Int
    /// The task that performs the call.
    let running: CancellableTask
  }

  private struct Entry {
    let request: Request
    let permits: Int
    var isAwaited = true
    let deadline: TimerToken
  }

  private struct CallState {
    let key: String
    let running = CancellableTask()
    /// The requests that it decides, in their order, and some that have left.
    var requests: ArraySlice<Int> = []
    /// How many of the first ones the store is being asked for.
    var asked = 0
    /// The requests by their permits, once the store has denied some.
    var sizes: [Int: [Int]]?
    var isAwaited = true
    var deadline = TimerToken?.none
  }

  private struct Key {
    /// The requests that no call has taken yet.
    var waiting: [Int] = []
    /// How many calls are awaited.
    var calls = 0
    /// How many permits the store may have.
    var available: Int
  }

  private enum Deadline {
    case request(Int)
    case call(Int)
  }

  private let capacity: Int
  private let maximumRequests: Int
  private let timeout: Int64
  private var requests: [Int: Entry] = [:]
  private var calls: [Int: CallState] = [:]
  private var keys: [String: Key] = [:]
  private var deadlines = TimerQueue<Int64, Deadline>()
  private var lastID = 0
  /// The latest instant that is known, because callers read the clock before they get the lock.
  private var latest = Int64.min
  private var watch: (task: CancellableTask, endsWhenIdle: Bool)?
  private var spares = SparePermits()

  /// - Parameters:
  ///   - capacity: The most permits that the store can grant at once.
  ///   - maximumRequests: How many requests may wait.
  ///   - timeout: After which time a request or a call is awaited no longer. After ten times that
  ///     time a call is given up.
  init(capacity: Int, maximumRequests: Int, timeout: Int64) {
    self.capacity = capacity
    self.maximumRequests = maximumRequests
    self.timeout = timeout
  }
}

// MARK: - Requests

extension SharedQuotaStateMachine {
  /// How a decision is made.
  enum Start {
    case useSpare
    /// The number of the request, and the call that has to be made, if any.
    case wait(Int, Call?)
    case refuse
  }

  mutating func begin(_ permits: Int, for key: String, _ request: Request, now: Int64) -> Start {
    let now = advance(to: now)
    if spares.take(permits, for: key, now: now) { return .useSpare }
    guard requests.count < maximumRequests else { return .refuse }
    lastID += 1
    requests[lastID] = Entry(
      request: request, permits: permits,
      deadline: deadlines.insert(.request(lastID), at: now + timeout))
    let id = lastID
    // Takes the value out of the dictionary and puts it back, because each look-up takes time.
    var state = keys.removeValue(forKey: key) ?? Key(available: capacity)
    state.waiting.append(id)
    let call = newCall(for: key, &state, now: now)
    keys[key] = state
    return .wait(id, call)
  }

  /// The caller waits no longer.
  mutating func cancelled(_ id: Int) {
    guard let entry = requests[id] else { return }
    requests[id]!.isAwaited = false
    _ = deadlines.remove(entry.deadline)
  }

  /// The store granted permits to a caller that waits no longer.
  ///
  /// They are kept for one timeout for the next callers, as a late answer to them.
  mutating func granted(_ permits: Int, for key: String, now: Int64) {
    let now = advance(to: now)
    spares.add(permits, for: key, now: now, until: now + timeout)
  }

  private mutating func advance(to now: Int64) -> Int64 {
    latest = max(latest, now)
    return latest
  }
}

// MARK: - Calls

extension SharedQuotaStateMachine {
  /// The decision about a call.
  struct Ended {
    var answers: [(request: Request, permits: Int, result: Result<QuotaDecision, any Error>)] = []
    /// The next request of the call's task.
    var next: Call?
    /// The watch, if it has to end now.
    var watch: CancellableTask?
  }

  /// The store has answered, or will not.
  mutating func ended(
    _ call: Call, _ result: Result<QuotaDecision, any Error>, now: Int64
  ) -> Ended? {
    let now = advance(to: now)
    var ended = Ended()
    guard var state = calls.removeValue(forKey: call.id) else { return nil }
    _ = deadlines.remove(state.deadline!)
    var key = keys.removeValue(forKey: call.key)
    if let available = result.available { key?.available = available }
    answer(call, &state, result, &ended)
    if state.isAwaited {
      ended.next = next(call.id, state, &key!, now: now)
    } else {
      forget(state)
    }
    if let key, key.calls > 0 { keys[call.key] = key }
    if calls.isEmpty, let watch, watch.endsWhenIdle {
      self.watch = nil
      ended.watch = watch.task
    }
    return ended
  }

  private mutating func answer(
    _ call: Call, _ state: inout CallState, _ result: Result<QuotaDecision, any Error>,
    _ ended: inout Ended
  ) {
    // The sum may be too large, and the differences are not.
    var remaining = Int?.none
    switch result {
    case .failure: break
    case .success(.allowed(let left)): remaining = left &+ call.permits
    case .success(.denied): return deny(call, &state, result, &ended)
    }
    for id in state.requests.prefix(state.asked) {
      guard let entry = requests[id] else { continue }
      remaining = remaining.map { $0 &- entry.permits }
      decide(id, remaining.map { .success(.allowed(remaining: $0)) } ?? result, &ended)
    }
    state.requests.removeFirst(state.asked)
  }

  /// Decides the requests for as many permits, or none if the call asked for several requests.
  private mutating func deny(
    _ call: Call, _ state: inout CallState, _ result: Result<QuotaDecision, any Error>,
    _ ended: inout Ended
  ) {
    let isAlone = state.requests.prefix(state.asked)
      .contains { requests[$0]?.permits == call.permits }
    guard isAlone else { return }
    if state.sizes == nil {
      state.sizes = Dictionary(
        grouping: state.requests.filter { requests[$0] != nil }, by: { requests[$0]!.permits })
    }
    for id in state.sizes!.removeValue(forKey: call.permits) ?? [] { decide(id, result, &ended) }
  }

  private mutating func decide(
    _ id: Int, _ result: Result<QuotaDecision, any Error>, _ ended: inout Ended
  ) {
    guard let entry = requests.removeValue(forKey: id) else { return }
    _ = deadlines.remove(entry.deadline)
    ended.answers.append((entry.request, entry.permits, result))
  }

  private mutating func newCall(for key: String, _ state: inout Key, now: Int64) -> Call? {
    guard state.calls < 2 else { return nil }
    state.calls += 1
    lastID += 1
    return next(lastID, CallState(key: key), &state, now: now)
  }

  /// The permits for which a call asks next; `nil` if no request waits, so that the call ends.
  private mutating func next(
    _ id: Int, _ state: consuming CallState, _ key: inout Key, now: Int64
  ) -> Call? {
    removeAbandonedRequests(&state)
    if state.requests.isEmpty {
      state.requests = key.waiting[...]
      state.sizes = nil
      key.waiting = []
      removeAbandonedRequests(&state)
    }
    var (asked, permits) = (0, 0)
    let limit = min(capacity, key.available)
    for request in state.requests {
      if let entry = requests[request], entry.isAwaited {
        guard permits == 0 || entry.permits <= limit - permits else { break }
        permits += entry.permits
      } else {
        requests[request] = nil
      }
      asked += 1
    }
    guard asked > 0 else {
      key.calls -= 1
      return nil
    }
    state.asked = asked
    state.deadline = deadlines.insert(.call(id), at: now + timeout)
    let call = Call(id: id, key: state.key, permits: permits, running: state.running)
    calls[id] = state
    return call
  }

  /// Removes the first requests of a call, up to one whose caller waits.
  private mutating func removeAbandonedRequests(_ call: inout CallState) {
    while let id = call.requests.first, requests[id]?.isAwaited != true {
      requests[id] = nil
      call.requests.removeFirst()
    }
  }
}

// MARK: - Timeouts

extension SharedQuotaStateMachine {
  /// Whether there are calls, and no watch.
  var needsWatch: Bool { watch == nil && !calls.isEmpty }

  /// Whether this watch has to begin: to call ``overdue(now:by:)``, and again at the instants that
  /// it returns.
  ///
  /// - Parameters:
  ///   - watch: The task that watches.
  ///   - endsWhenIdle: Whether it ends with the last call, and not when it finds no calls.
  mutating func begins(_ watch: CancellableTask, endsWhenIdle: Bool) -> Bool {
    guard needsWatch else { return false }
    self.watch = (watch, endsWhenIdle)
    return true
  }

  /// The watch was cancelled.
  mutating func cancelled(_ watch: CancellableTask) {
    if self.watch?.task === watch { self.watch = nil }
  }

  /// The actions that are due, and when to ask again.
  struct Overdue {
    /// Their callers wait no longer.
    var timedOut: [Request] = []
    /// They have to be made, because those before them take too long.
    var calls: [Call] = []
    /// They do not count any more, and have to be cancelled.
    var givenUp: [CancellableTask] = []
    /// When to ask again; `nil` if there is nothing to watch.
    var next: Int64?
  }

  mutating func overdue(now: Int64, by watch: CancellableTask) -> Overdue {
    let now = advance(to: now)
    var overdue = Overdue()
    guard self.watch?.task === watch else { return overdue }
    while let deadline = deadlines.firstDeadline, deadline <= now {
      switch deadlines.popFirst()!.element {
      case .request(let id):
        requests[id]!.isAwaited = false
        overdue.timedOut.append(requests[id]!.request)
      case .call(let id) where calls[id]!.isAwaited:
        calls[id]!.deadline = deadlines.insert(.call(id), at: deadline + timeout * 9)
        if let call = replace(id, now: now) { overdue.calls.append(call) }
      case .call(let id):
        let call = calls.removeValue(forKey: id)!
        overdue.givenUp.append(call.running)
        forget(call)
      }
    }
    // Requests that begin from now on end one timeout later.
    overdue.next = deadlines.firstDeadline.map { min($0, now + timeout) }
    if overdue.next == nil { self.watch = nil }
    return overdue
  }

  /// Awaits a call no longer, and returns one for the requests that wait.
  private mutating func replace(_ id: Int, now: Int64) -> Call? {
    var call = calls.removeValue(forKey: id)!
    // They began before the store was asked, so they have timed out before the call.
    for request in call.requests.dropFirst(call.asked) { requests[request] = nil }
    call.requests = call.requests.prefix(call.asked)
    call.sizes = nil
    call.isAwaited = false
    let name = call.key
    calls[id] = call
    var key = keys.removeValue(forKey: name)!
    key.calls -= 1
    let new = newCall(for: name, &key, now: now)
    if key.calls > 0 { keys[name] = key }
    return new
  }

  /// Forgets the requests of a call that is not awaited, which have timed out before it.
  private mutating func forget(_ call: CallState) {
    for request in call.requests { requests[request] = nil }
  }
}

extension Result where Success == QuotaDecision {
  /// How many permits the store has, as far as the result tells.
  fileprivate var available: Int? {
    switch self {
    case .success(.allowed(let remaining)): remaining
    // The next call asks for one request alone.
    case .success(.denied): 0
    case .failure: nil
    }
  }
}
