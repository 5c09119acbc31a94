/// The decisions of a concurrency limiter.
///
/// Tasks that have to wait are in a queue, first come, first served.
struct ConcurrencyStateMachine<Waiter> {
  private(set) var algorithm: ConcurrencyAlgorithm
  private let maximumWaiting: Int
  private(set) var running = 0
  private(set) var waiting = 0
  private var queue = FIFO<Waiter>()

  init(algorithm: ConcurrencyAlgorithm, maximumWaiting: Int) {
    self.algorithm = algorithm
    self.maximumWaiting = maximumWaiting
  }

  enum Admission: Equatable {
    case running
    case queued(id: Int)
    case refused
  }

  /// A task wants to run an operation.
  mutating func admit(_ waiter: @autoclosure () -> Waiter) -> Admission {
    if waiting == 0, running < algorithm.limit {
      running += 1
      return .running
    }
    guard waiting < maximumWaiting else { return .refused }
    waiting += 1
    return .queued(id: queue.append(waiter()))
  }

  /// A task does not want to wait any more.
  ///
  /// Returns `false` if its turn has come.
  mutating func cancel(_ id: Int) -> Bool {
    guard queue.remove(id) != nil else { return false }
    waiting -= 1
    return true
  }

  /// An operation has ended.
  ///
  /// Returns the tasks whose turn has come. The caller resumes them.
  mutating func finished(_ sample: (time: Int64, isOverload: Bool)?) -> [Waiter] {
    if let sample {
      algorithm.record(
        VegasLimit.Sample(time: sample.time, running: running, isOverload: sample.isOverload))
    }
    running -= 1
    var next: [Waiter] = []
    while running < algorithm.limit, let first = queue.first {
      queue.removeFirst()
      waiting -= 1
      running += 1
      next.append(first)
    }
    return next
  }
}
