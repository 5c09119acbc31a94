import CReach
import CVirtualTime
import _EscapementCore

// A thread that has the baton may wait for what the scope does not know: a pipe, or a lock of the standard
// library. If the kernel says that it sleeps, it loses the baton, and the scope goes on.

extension Scope {
  /// What the watch has seen at its last look.
  struct Look: Equatable {
    let turn: Int
    /// How often the thread that has the baton was given a processor.
    let turnsOfThread: Int64
  }

  /// Takes the baton from a thread that has slept since the last look.
  ///
  /// - Parameter lastLook: What has been seen at the last look, and is to be compared with at the next one.
  func lookForStraggler(since lastLook: inout Look?) {
    let (thread, turn, waiting) = state.withLock { state in
      state.watches.batonLooks += 1
      return (state.baton.thread, state.baton.turn, state.threads.awaitedStragglers)
    }
    if !waiting.isEmpty, waiting.allSatisfy(\.waits), state.withLock({ $0.stragglersWait() }) {
      return handOver(to: .lane)
    }
    lookForBusyActors()
    let look = thread.map { Look(turn: turn, turnsOfThread: cvt_turns_of($0)) }
    defer { lastLook = look }
    guard let thread, let look, look == lastLook, takeBaton(from: thread, look) else { return }
    handOver(to: .lane)
  }

  /// Goes on if all tasks for which the scope waits have come into the mailboxes of actors whose threads wait.
  private func lookForBusyActors() {
    let unasked = state.withLock { state -> [Int32] in
      guard state.isParkedElsewhere else { return [] }
      return state.threads.stragglers.filter { !$0.wasAsked }.map(\.thread)
    }
    // Only then, since the signal ends some waits.
    for thread in unasked {
      let actor = RunningPlace(of: thread, isWaiting: true)?.defaultActor
      state.withLock { $0.threads.hasAsked(thread, actor) }
    }
    let mustDrain = state.withLock { state in
      guard state.isParkedElsewhere,
        !state.threads.busyActors.isEmpty
          || state.threads.stragglers.contains(where: { $0.actor != nil }),
        !isUnderwayElsewhere(state)
      else { return false }
      return state.startDraining()
    }
    if mustDrain { handOver() }
  }

  private func takeBaton(from thread: Int32, _ look: Look) -> Bool {
    let sleep = cvt_sleep_of(thread, look.turnsOfThread)
    guard let baton = state.withLock(\.baton.ofThread), sleep.isUnknownWait else { return false }
    let take = { [self] in
      state.withLock { state in
        let current = state.baton
        guard current.thread == thread, current.turn == look.turn, current.ofThread == baton,
          cvt_baton_take_away(baton, number, thread, look.turnsOfThread)
        else { return false }
        let tasks = cvt_tasks_of(baton, number)
        if current.place == .main { draining.main.isWaiting = true }
        cvt_add_to_underway(number, -tasks)
        state.takeAway(waitingIn: sleep.function, tasks: tasks)
        draining.mayHaveStragglers = true
        return true
      }
    }
    return withoutActuallyEscaping(take) { take in
      withUnsafePointer(to: take) {
        rch_take_away(
          number, thread, baton,
          { $0.assumingMemoryBound(to: (() -> Bool).self).pointee() },
          UnsafeMutableRawPointer(mutating: $0))
      }
    }
  }

  /// Whether the scope may go on: all stragglers wait.
  ///
  /// Looked at before each job, so that what one job has brought about in stragglers happens before the
  /// next.
  func stragglersWait() -> Bool {
    while true {
      let stragglers = state.withLock { $0.awaitsStragglers ? $0.threads.stragglers : [] }
      if stragglers.isEmpty {
        draining.mayHaveStragglers = !state.withLock(\.threads.stragglers.isEmpty)
      }
      if stragglers.allSatisfy(\.waits) { return true }
      if state.withLock({ $0.park(for: stragglers.map(\.thread)) }) { return false }
    }
  }

  /// This thread asks for the baton, which it has lost, with a job that gives it to the thread.
  ///
  /// - Parameter turn: The job; `nil` if something else makes it ready.
  /// - Parameter wait: Waits for the baton. Not called if the scope has ended.
  /// - Returns: Whether the thread must come back even if the scope has ended.
  func regain(_ turn: ReadyJob?, _ wait: () -> Void) -> Bool {
    guard
      let (straggler, mustDrain) = state.withLock({ $0.takeBack(cvt_thread_id(), with: turn) })
    else {
      // The thread has run just when the baton was to be taken away, and has it.
      cvt_baton_set_lost(false)
      return false
    }
    let thread = cvt_thread_state()
    cvt_thread_set_state(cvt_thread())
    if let mustDrain {
      if mustDrain { handOver(to: .lane) }
      wait()
    }
    cvt_baton_set_lost(false)
    return goOn(
      thread, at: straggler.place, tasks: straggler.tasks, isCaller: straggler.isCaller)
  }
}
