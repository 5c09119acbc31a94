import CReach
import CVirtualTime
import _EscapementCore

// A thread that has the baton may wait for what the scope does not know: a pipe, or a lock of the
// standard library. If the kernel says that it sleeps, it loses the baton, and the scope goes on.
//
// `BatonWatch`, one thread for all scopes, looks at each thread that has a baton, each millisecond.
// If the thread has slept since the last look, the baton is taken away. The thread is a *straggler*
// then: when it wakes, it runs beside the thread that has the baton, until it comes to a call of
// ours (an override, a reading of a clock, `VirtualTime.current`, the end of its job). There it
// asks for the baton with an entry, as a parked thread does, and waits for it. Before each
// job and before time moves, the scope makes sure that all stragglers wait. If one runs, the scope
// parks, until the straggler asks or the watch sees that it waits again. While schedules are
// explored, such a wait counts as work outside, unless it is for a lock.
//
// The baton may be taken only in code of the user's. A thread that is in the engine, waits for a
// mutex whose owner runs, or is about to enter a queue *keeps* it (`cvt_baton_keep`). No fence is
// needed: the thread sleeps, so what it has written is visible, and after the mark is set, the
// kernel is asked once more whether it has run.
//
// The tasks of a straggler do not count as under way until it has the baton again. Nor do those in
// the mailbox of its actor, since the actor cannot run them. Nor does a task in a block that its
// queue keeps: the first block that an executor of the user's submits inside the call in which it
// gets the task, as the stack tells. If that matters, the thread is asked with `SIGPROF` which
// actor it is.
//
// `Lock` has a kind of mutex of its own (adaptive), by which the override of `pthread_mutex_lock`
// tells that its owner never waits. If the kernel does not tell whether a thread sleeps, as in
// gVisor, `Reach.runSelfTest` warns once and names the file. Such a thread keeps the baton then,
// and time stands until it goes on. It is the same under Thread Sanitizer, which is not told that
// what such a thread did comes before what the next one does. There `holdLimit` and `blockLimit`
// are a hundred times as long, and a thread that runs is not asked where it is, because Thread
// Sanitizer delays the signal.

extension Scope {
  /// The observations of one look of the watch.
  struct BatonSighting: Equatable {
    let handOvers: Int
    /// How often the kernel gave a processor to the thread that has the baton.
    let timesScheduled: Int64
  }

  /// Takes the baton from a thread that has slept since the last look.
  ///
  /// - Parameter lastLook: What has been seen at the last look, and is to be compared with at the
  ///   next one.
  func lookForStraggler(since lastLook: inout BatonSighting?) {
    let (thread, handOvers, waiting) = state.withLock { state in
      state.watches.batonLooks += 1
      return (state.baton.thread, state.baton.handOvers, state.threads.awaitedStragglers)
    }
    if !waiting.isEmpty, wait(waiting), state.withLock({ $0.stragglersWait() }) {
      return handOver(to: .worker)
    }
    lookForBusyActors()
    let look = thread.map { BatonSighting(handOvers: handOvers, timesScheduled: cvt_turns_of($0)) }
    defer { lastLook = look }
    guard let thread, let look, look == lastLook, takeAwayBaton(from: thread, look) else { return }
    handOver(to: .worker)
  }

  /// Goes on if all tasks for which the scope waits have come into the mailboxes of actors whose
  /// threads wait.
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
        !state.threads.mayRun(underwayElsewhere(), of: number)
      else { return false }
      return state.startDraining()
    }
    if mustDrain { handOver() }
  }

  private func takeAwayBaton(from thread: Int32, _ look: BatonSighting) -> Bool {
    let sleep = cvt_sleep_of(thread, look.timesScheduled)
    guard let baton = state.withLock({ $0.baton.ofThread }), sleep.isUnknown(to: number) else {
      return false
    }
    let take = { [self] in
      state.withLock { state in
        let current = state.baton
        guard current.thread == thread, current.handOvers == look.handOvers,
          current.ofThread == baton,
          cvt_baton_take_away(baton, number, thread, look.timesScheduled)
        else { return false }
        let tasks = cvt_tasks_of(baton, number)
        if current.drainer == .main { draining.main.isWaiting = true }
        cvt_add_to_underway(number, -tasks)
        state.takeAway(waitingIn: sleep.function, tasks: tasks)
        draining.mayHaveStragglers = true
        return true
      }
    }
    return withoutActuallyEscaping(take) { take in
      withUnsafePointer(to: take) {
        rch_take_away(
          number, thread,
          { $0.assumingMemoryBound(to: (() -> Bool).self).pointee() },
          UnsafeMutableRawPointer(mutating: $0))
      }
    }
  }

  /// Whether the scope may go on: all stragglers wait.
  ///
  /// Looked at before each job, so that what one job has brought about in stragglers happens before
  /// the next.
  func stragglersWait() -> Bool {
    while true {
      let stragglers = state.withLock { $0.awaitsStragglers ? $0.threads.stragglers : [] }
      if stragglers.isEmpty {
        draining.mayHaveStragglers = !state.withLock({ $0.threads.stragglers.isEmpty })
      }
      if wait(stragglers) { return true }
      if state.withLock({ $0.park(for: stragglers.map(\.thread)) }) { return false }
    }
  }

  /// Whether all of these wait.
  private func wait(_ stragglers: [Straggler]) -> Bool {
    stragglers.allSatisfy { $0.waits(in: number) }
  }

  /// This thread asks for the baton, which it has lost, with a job that gives it to the thread.
  ///
  /// - Parameter job: The job; `nil` if something else makes it ready.
  /// - Parameter wait: Waits for the baton. Not called if the scope has ended.
  /// - Returns: Whether the thread must come back even if the scope has ended.
  func regain(_ job: ReadyJob?, _ wait: () -> Void) -> Bool {
    guard
      let (straggler, mustDrain) = state.withLock({ $0.takeBack(cvt_thread_id(), with: job) })
    else {
      // The thread has run just when the baton was to be taken away, and has it.
      cvt_baton_set_lost(false)
      return false
    }
    let thread = cvt_thread_state()
    cvt_thread_set_state(cvt_thread())
    if let mustDrain {
      if mustDrain { handOver(to: .worker) }
      wait()
    }
    cvt_baton_set_lost(false)
    return goOn(
      thread, by: straggler.drainer, tasks: straggler.tasks, isCaller: straggler.isCaller)
  }
}
