import CVirtualTime

// A hold is a count. While it is not zero, time stands. It is opened before the body of `hold`
// begins and closed when it has ended. On whatever thread that is, the caller's task is under way
// there and counted.

/// The holds of a scope, which make its time stand, and sleeps of standard clocks where these are
/// real.
struct Holds {
  private(set) var count = 0
  /// The tasks that have opened holds, and how many each; they live as long as their holds.
  private(set) var tasks: [UnsafeMutableRawPointer: Int] = [:]
  /// The tasks whose holds `openHoldLimit` counts, one for each hold, in the order of opening.
  private var openers: [TaskDescription] = []
  /// The openers when there was one too many, which the next step tells; time stands until then.
  private var tooMany: [TaskDescription]?
  /// The sleeps in real time.
  private var sleeps = SleepJobs()

  var isEmpty: Bool { count == 0 && tooMany == nil }

  /// Whether time stands only because tasks sleep in real time.
  var areSleeps: Bool { count == sleeps.count }

  /// Opens a hold, of this task if it is a task's.
  mutating func open(of task: UnsafeMutableRawPointer?) {
    count += 1
    if let task { tasks[task, default: 0] += 1 }
  }

  mutating func close(of task: UnsafeMutableRawPointer?) {
    if let task {
      // The crash of its host may have closed it.
      guard let ofTask = tasks[task] else { return }
      tasks[task] = ofTask > 1 ? ofTask - 1 : nil
    }
    precondition(count > 0, "a hold was closed twice")
    count -= 1
  }

  /// Closes all holds of a task, which never goes on.
  mutating func closeAll(of task: UnsafeMutableRawPointer) {
    count -= tasks.removeValue(forKey: task) ?? 0
    openers.removeAll { $0.id == cvt_task_id(task) }
  }

  /// Counts an open hold of a task; returns whether there is one too many now.
  mutating func add(_ opener: TaskDescription, limit: Int) -> Bool {
    openers.append(opener)
    guard openers.count > limit, tooMany == nil else { return false }
    tooMany = openers
    return true
  }

  mutating func remove(_ opener: TaskDescription) {
    openers.lastIndex(of: opener).map { _ = openers.remove(at: $0) }
  }

  /// The tasks that had open holds when there was one too many, if that has not been told.
  mutating func takeTooMany() -> [TaskDescription]? { tooMany.take() }

  /// Begins a sleep in real time; returns a number for `endSleep`.
  mutating func beginSleep(_ job: UnownedJob) -> UInt32 {
    count += 1
    return sleeps.begin(job)
  }

  /// Ends a sleep in real time, unless it has ended; the caller runs its job, and with it the
  /// scope.
  mutating func endSleep(_ id: UInt32) -> UnownedJob? {
    guard let job = sleeps.end(id) else { return nil }
    count -= 1
    return job
  }
}

extension ScopeState {
  /// Opens a hold, of this task if it is a task's.
  ///
  /// - Parameter opener: The task, if its hold counts for `openHoldLimit`.
  /// - Returns: Whether a thread must start to drain the scope, to report one hold too many.
  @discardableResult mutating func openHold(
    of task: UnsafeMutableRawPointer? = nil, by opener: TaskDescription? = nil
  ) -> Bool {
    time.holds.open(of: task)
    exploring?.hasWorkOutside = true
    guard case .running = life, let opener, let limit = options.openHoldLimit else { return false }
    return time.holds.add(opener, limit: limit) && startDraining()
  }

  mutating func closeHold(
    of task: UnsafeMutableRawPointer? = nil, by opener: TaskDescription? = nil
  ) -> Bool {
    time.holds.close(of: task)
    if let opener { time.holds.remove(opener) }
    // Else it adds up sleeps in real time, which end in another way.
    if options.standardClocks == .virtual { watches.hold = Watch() }
    return time.holds.isEmpty && startDraining()
  }

  /// Whether time stands only because tasks sleep in real time.
  var holdsAreSleeps: Bool { options.standardClocks == .real && time.holds.areSleeps }

  /// Whether real work holds time, and no limit is reached.
  var isHeldWhileRunning: Bool {
    if case .running = life { !time.holds.isEmpty } else { false }
  }

  /// Begins a sleep in real time, which holds virtual time.
  mutating func beginRealSleep(_ job: UnownedJob) -> UInt32 {
    exploring?.hasWorkOutside = true
    return time.holds.beginSleep(job)
  }

  mutating func realSleepIsOver(_ id: UInt32) -> Bool {
    guard let job = time.holds.endSleep(id) else { return false }
    return add(ReadyJob(endingSleep: job))
  }
}
