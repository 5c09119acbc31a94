import CVirtualTime

extension ScopeState {
  /// The baton is taken away from the thread that has it.
  mutating func takeAway(waitingIn function: String, tasks: Int32) {
    guard let thread = baton.thread, let ofThread = baton.ofThread else { return }
    let (drainer, isCaller) = baton.beginWait()
    threads.stragglers.append(
      Straggler(
        thread: thread, baton: ofThread, drainer: drainer, isCaller: isCaller, tasks: tasks,
        waitsIn: function))
    baton.takeAway()
    // What ends the wait may be outside. A lock is released by code that the scope orders.
    if !function.hasPrefix("futex") { exploring?.hasWorkOutside = true }
  }

  /// A straggler asks for the baton, with a job that gives it to the thread.
  ///
  /// Returns `nil` if the thread is no straggler. `mustDrain` is `nil` if the scope has ended.
  mutating func takeBack(
    _ thread: Int32, with job: ReadyJob?
  ) -> (straggler: Straggler, mustDrain: Bool?)? {
    guard let straggler = threads.remove(thread) else { return nil }
    if life.hasEnded { return (straggler, nil) }
    return (straggler, job.map { add($0) } ?? startDraining())
  }

  /// Some of these stragglers run: the scope waits until they wait, too, or ask for the baton.
  ///
  /// Returns `false` if another one has asked meanwhile.
  mutating func park(for stragglers: [Int32]) -> Bool {
    guard threads.stragglers.map(\.thread) == stragglers else { return false }
    // The wait for which it stood is over.
    watches.overdue = nil
    baton.park(.elsewhere)
    threads.areStragglersAwaited = true
    return true
  }

  /// Whether the scope waits for a task on another thread that is no straggler.
  var isParkedElsewhere: Bool {
    baton.waiting?.reason == .elsewhere && !threads.areStragglersAwaited
  }

  /// Whether stragglers that run are waited for, and not given up because the body has ended or
  /// they have run for too long.
  var awaitsStragglers: Bool { !threads.areOthersIgnored && watches.overdue != .elsewhere }

  /// The stragglers for which the scope has waited wait again.
  ///
  /// Returns whether a thread must start to drain it.
  mutating func stragglersWait() -> Bool { threads.areStragglersAwaited && startDraining() }
}
