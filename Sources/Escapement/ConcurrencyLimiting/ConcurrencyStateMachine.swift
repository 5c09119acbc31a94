/// The decisions of a concurrency limiter.
///
/// Instants are nanoseconds since any instant; 0 if there is no limit of time.
struct ConcurrencyStateMachine<Waiter> {
  private(set) var algorithm: ConcurrencyAlgorithm
  private var maximumWaiting: Int
  private(set) var running = 0
  private var queue: ConcurrencyQueue<Waiter>

  init(algorithm: ConcurrencyAlgorithm, maximumWaiting: Int, maximumDelay: Int64? = nil) {
    self.algorithm = algorithm
    self.maximumWaiting = maximumWaiting
    queue = ConcurrencyQueue(maximumDelay: maximumDelay)
  }

  var waiting: Int { queue.count }

  enum Admission: Equatable {
    case running
    case queued(ConcurrencyQueue<Waiter>.Place)
    case refused
  }

  /// A task wants to run an operation.
  ///
  /// Also returns a task whose place it takes, and which is refused.
  mutating func admit(
    _ waiter: @autoclosure () -> Waiter, _ priority: TaskPriority = .medium, at now: Int64 = 0
  ) -> (Admission, displaced: Waiter?) {
    if queue.count == 0, running < algorithm.limit {
      running += 1
      return (.running, nil)
    }
    var displaced: Waiter?
    if queue.count >= maximumWaiting {
      displaced = queue.removeLast(below: priority)
      if displaced == nil { return (.refused, nil) }
    }
    return (.queued(queue.append(waiter(), priority, at: now)), displaced)
  }

  /// A task does not want to wait any more.
  ///
  /// Returns `false` if its wait has ended.
  mutating func cancel(_ place: ConcurrencyQueue<Waiter>.Place) -> Bool {
    queue.remove(place) != nil
  }

  /// An operation has ended.
  ///
  /// Returns the tasks whose wait has ended: those whose turn has come, and those that have waited
  /// for too long.
  mutating func finished(
    _ sample: (time: Int64, isOverload: Bool)?, at now: Int64 = 0
  ) -> [(waiter: Waiter, hasTurn: Bool)] {
    if let sample {
      algorithm.record(
        VegasLimit.Sample(time: sample.time, running: running, isOverload: sample.isOverload))
    }
    running -= 1
    return admitWaiting(at: now)
  }

  /// Goes on with another limit, which may let tasks begin, and other bounds of the queue if they are
  /// given.
  ///
  /// Operations beyond a smaller limit go on to their ends, and tasks that wait keep their bounds.
  mutating func replace(
    _ algorithm: ConcurrencyAlgorithm, maximumWaiting: Int? = nil, maximumDelay: Int64? = nil,
    at now: Int64 = 0
  ) -> [(waiter: Waiter, hasTurn: Bool)] {
    self.algorithm = algorithm
    self.maximumWaiting = maximumWaiting ?? self.maximumWaiting
    queue.maximumDelay = maximumDelay ?? queue.maximumDelay
    return admitWaiting(at: now)
  }

  private mutating func admitWaiting(at now: Int64) -> [(waiter: Waiter, hasTurn: Bool)] {
    var ended = queue.removeLate(at: now).map { (waiter: $0, hasTurn: false) }
    while running < algorithm.limit, let waiter = queue.removeFirst() {
      running += 1
      ended.append((waiter, true))
      // Those behind it may have less time.
      ended += queue.removeLate(at: now).map { ($0, false) }
    }
    return ended
  }
}
