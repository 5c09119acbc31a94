import CVirtualTime

extension ScopeState {
  /// The baton is taken away from the thread that has it.
  mutating func takeAway(waitingIn function: String, tasks: Int32) {
    guard let thread, let batonOfThread else { return }
    let (place, isCaller) = beginWait()
    stragglers.append(
      Straggler(
        thread: thread, baton: batonOfThread, place: place, isCaller: isCaller, tasks: tasks,
        waitsIn: function))
    baton = .handedOver
    turn += 1
    // What ends the wait may be outside. A lock is released by code that the scope orders.
    if !function.hasPrefix("futex") { exploring?.hasWorkOutside = true }
  }

  /// A straggler has been asked on which actor it runs a task.
  mutating func hasAsked(_ thread: Int32, _ actor: UnsafeRawPointer?) {
    guard let index = stragglers.firstIndex(where: { $0.thread == thread }) else { return }
    stragglers[index].wasAsked = true
    stragglers[index].actor = actor
  }

  func isStraggler(_ thread: Int32) -> Bool { stragglers.contains { $0.thread == thread } }

  /// A straggler asks for the baton, with a job that gives it to the thread.
  ///
  /// Returns `nil` if the thread is no straggler. `mustDrain` is `nil` if the scope has ended.
  mutating func takeBack(
    _ thread: Int32, with job: ReadyJob?
  ) -> (straggler: Straggler, mustDrain: Bool?)? {
    guard let index = stragglers.firstIndex(where: { $0.thread == thread }) else { return nil }
    let straggler = stragglers.remove(at: index)
    if life.hasEnded { return (straggler, nil) }
    return (straggler, job.map { add($0) } ?? startDraining())
  }

  /// Some of these stragglers run: the scope waits until they wait, too, or ask for the baton.
  ///
  /// Returns `false` if another one has asked meanwhile.
  mutating func park(for threads: [Int32]) -> Bool {
    guard stragglers.map(\.thread) == threads else { return false }
    // The wait for which it stood is over.
    overdue = nil
    _ = park(.elsewhere)
    waitsForStragglers = true
    return true
  }

  /// Whether stragglers that run are waited for, and not given up because the body has ended or they have run
  /// for too long.
  var awaitsStragglers: Bool { !ignoresOtherThreads && overdue != .elsewhere }

  /// The stragglers for which the scope has waited wait again.
  ///
  /// Returns whether a thread must start to drain it.
  mutating func stragglersWait() -> Bool { waitsForStragglers && startDraining() }
}
