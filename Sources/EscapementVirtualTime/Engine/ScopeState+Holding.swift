import CVirtualTime

// What makes time stand: holds, and sleeps of standard clocks where these are real.

extension ScopeState {
  /// Opens a hold, of this task if it is a task's.
  mutating func openHold(of task: UnsafeMutableRawPointer? = nil) {
    holds += 1
    if let task { holders[task, default: 0] += 1 }
    exploring?.hasWorkOutside = true
  }

  mutating func closeHold(of task: UnsafeMutableRawPointer? = nil) -> Bool {
    precondition(holds > 0, "a hold was closed twice")
    holds -= 1
    if let task, let count = holders[task] { holders[task] = count > 1 ? count - 1 : nil }
    // Else it adds up sleeps in real time, which end in another way.
    if options.standardClocks == .virtual { holdWatch = Watch() }
    return holds == 0 && startDraining()
  }

  /// Whether time stands only because tasks sleep in real time.
  var holdsAreSleeps: Bool { holds == realSleeps.count && options.standardClocks == .real }

  /// Whether real work holds time, and no limit is reached.
  var isHeldWhileRunning: Bool {
    if case .running = life { holds > 0 } else { false }
  }

  /// Begins a sleep in real time, which holds virtual time.
  mutating func beginRealSleep(_ job: UnownedJob) -> UInt32 {
    openHold()
    return realSleeps.begin(job)
  }

  mutating func realSleepIsOver(_ id: UInt32) -> Bool {
    guard let job = endRealSleep(id) else { return false }
    return add(ReadyJob(endingSleep: job))
  }

  /// Ends a real sleep, unless it has ended.
  mutating func endRealSleep(_ id: UInt32) -> UnownedJob? {
    guard let job = realSleeps.end(id) else { return nil }
    // Not `closeHold`: the caller sees to it that the job runs, and with it the scope.
    holds -= 1
    return job
  }
}
