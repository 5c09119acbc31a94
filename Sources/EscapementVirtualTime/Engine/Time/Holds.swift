// A hold is a count. While it is not zero, time stands. It is opened before the body of `hold`
// begins and closed when it has ended. On whatever thread that is, the caller's task is under way
// there and counted.

/// The holds of a scope, which make its time stand, and sleeps of standard clocks where these are
/// real.
struct Holds {
  private(set) var count = 0
  /// The tasks that have opened holds, and how many each; they live as long as their holds.
  private(set) var tasks: [UnsafeMutableRawPointer: Int] = [:]
  /// The sleeps in real time.
  private var sleeps = SleepJobs()

  var isEmpty: Bool { count == 0 }

  /// Whether time stands only because tasks sleep in real time.
  var areSleeps: Bool { count == sleeps.count }

  /// Opens a hold, of this task if it is a task's.
  mutating func open(of task: UnsafeMutableRawPointer?) {
    count += 1
    if let task { tasks[task, default: 0] += 1 }
  }

  mutating func close(of task: UnsafeMutableRawPointer?) {
    precondition(count > 0, "a hold was closed twice")
    count -= 1
    if let task, let ofTask = tasks[task] { tasks[task] = ofTask > 1 ? ofTask - 1 : nil }
  }

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
  mutating func openHold(of task: UnsafeMutableRawPointer? = nil) {
    time.holds.open(of: task)
    exploring?.hasWorkOutside = true
  }

  mutating func closeHold(of task: UnsafeMutableRawPointer? = nil) -> Bool {
    time.holds.close(of: task)
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
