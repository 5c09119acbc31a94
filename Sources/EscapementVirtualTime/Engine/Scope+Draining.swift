import CReach
import CVirtualTime
import _EscapementCore

// The drainer of a scope has its baton. It runs ready jobs and decides the next step, again and
// again, until the scope waits, ends, or goes on on another thread, which gets the baton.

/// Why a thread stops draining.
private enum DrainingEnd {
  /// Another thread drains the scope.
  case handOver(to: Drainer)
  /// The scope goes on on a thread that waits for it.
  case goesOn(UnsafeMutablePointer<rch_entry>)
  /// The scope waits for other threads.
  case parked
  /// The scope waits for stragglers, and whatever happens meanwhile is of no use.
  case behindStragglers
  /// No work is left.
  case ended
  /// The scope has ended without this thread.
  case lost
}

extension Scope {
  /// Begins to drain the scope, on this thread if possible.
  ///
  /// Handing a scope to another thread, and its result back, takes longer than most scopes.
  func begin(by drainer: Drainer) {
    guard Platform.capturesMainActor, drainer != .worker else { return handOver() }
    drain(by: drainer, isCaller: true)
    if drainer == .caller { BorrowedThreads.giveBack() }
  }

  /// Hands the baton, which the caller has, to another thread.
  ///
  /// - Parameter drainer: The kind of thread; by default that which drained the scope last.
  func handOver(to drainer: Drainer? = nil) {
    guard Platform.capturesMainActor else {
      return MainQueue.add { self.drain(by: .main) }
    }
    switch state.withLock({ $0.baton.handOver(to: drainer) }) {
    case .main:
      exempt { MainQueue.add { self.drain(by: .main) } }
    case .caller, .worker:
      cvt_run_on_worker(Unmanaged.passRetained(self).toOpaque()) { scope in
        Unmanaged<Scope>.fromOpaque(scope).takeRetainedValue().drain(by: .worker)
      }
    }
  }

  /// Runs ready jobs, then decides the next step, until the scope has to wait.
  func drain(by drainer: Drainer, isCaller: Bool = false) {
    cvt_baton_keep()
    defer { cvt_baton_release() }
    let (thread, baton) = (cvt_thread_id(), cvt_baton_here())
    guard
      state.withLock({
        $0.takeBaton(by: drainer, thread: thread, isCaller: isCaller, baton: baton)
      })
    else { return }
    let end = asDrainingThread { runJobs(by: drainer) }
    switch end {
    case .handOver(let next): handOver(to: next)
    case .goesOn(let thread): handOver(toThreadOf: thread)
    case .parked:
      rch_watch_files(number)
      endHopelessWait()
    case .behindStragglers, .lost: break
    case .ended: if finish() { return }
    }
    // A guest of the main queue comes back, with the test that it runs.
    if drainer == .main, MainQueue.hasGuest { return }
    // The caller has been continued on another thread, or this thread has the lowest priority.
    if state.withLock({ $0.baton.lost.threads.contains(thread) }) { cvt_wait_for_ever() }
  }

  private func asDrainingThread(_ body: () -> DrainingEnd) -> DrainingEnd {
    // There may be a scope around this: its code runs the main queue itself, or an actor in which a
    // task from outside has begun this scope.
    let outer = cvt_thread_state()
    defer { cvt_thread_set_state(outer) }
    var thread = outer
    thread.scope = Unmanaged.passUnretained(self).toOpaque()
    thread.clocks = clocks
    thread.number = number
    thread.host = cvt_task_of_thread()
    thread.initialisers = 0
    thread.explores = isExploring
    cvt_thread_set_state(thread)
    return body()
  }

  private func runJobs(by drainer: Drainer) -> DrainingEnd {
    // A worker has a limit only while the scope cancels leftover tasks.
    var jobsLeft = drainer == .worker && !draining.ending.isCancelling ? .max : Drainer.jobsInARow
    while true {
      while let job = nextJob() {
        if draining.mayHaveStragglers, !stragglersWait() { return .behindStragglers }
        if Platform.capturesMainActor {
          let next = drainer.next(
            for: job.kind, mayLoseThread: draining.ending.isCancelling || cvt_any_networks(),
            othersOnMain: drainer == .main && MainQueue.hasGuest
              ? Drainer.othersOnMain : draining.main.others)
          if next != drainer, !(draining.main.isWaiting && next == .main) {
            return .handOver(to: next)
          }
        }
        if jobsLeft == 0 { return .handOver(to: drainer) }
        jobsLeft -= 1
        lookOutsideNowAndThen()
        draining.ready.popFirst()
        draining.hasDecided = false
        if draining.main.keeps(job) {
          draining.main.behind.append(job)
          continue
        }
        if job.kind == .thread, let thread = job.entry {
          guard mayRun(job) else { continue }
          return .goesOn(thread)
        }
        run(job)
        if cvt_is_lost() || cvt_thread_number() != number { return .lost }
      }
      if !Platform.capturesMainActor, draining.main.rounds < 4 {
        // Jobs of the main actor are in the main queue, ahead of the next drain.
        draining.main.rounds += 1
        return .handOver(to: .main)
      }
      if draining.mayHaveStragglers, !stragglersWait() { return .behindStragglers }
      if pollFiles() || awaitDelivery() { continue }
      if let end = takeStep() { return end }
      if draining.ending.isCancelling { jobsLeft = min(jobsLeft, Drainer.jobsInARow) }
    }
  }

  @inline(__always) private func nextJob() -> ReadyJob? {
    if isExploring { decide() }
    return draining.ready.first
  }

  /// Whether a job may run: its host is not paused, and the limits allow it; else it is dropped.
  private func mayRun(_ job: ReadyJob) -> Bool {
    if keepsForHost(job) { return false }
    guard allowsJob() || tolerateMoreJobs() else {
      drop(job)
      return false
    }
    noteWork(of: job)
    return true
  }

  /// Notes the entry that is about to run, if the end of the scope's patience is near.
  func noteWork(of job: ReadyJob) {
    if draining.patience.isWatching, let entry = job.entry { draining.patience.note(Work(entry)) }
  }

  private func run(_ job: ReadyJob) {
    guard mayRun(job) else { return }
    draining.main.others = job.isOnMain ? 0 : draining.main.others + 1
    if let entry = job.entry {
      cvt_begin_job(nil, jobsBegun)
      return job.kind == .entry ? rch_run(entry) : usersCode { rch_run(entry) }
    }
    if draining.patience.isWatching, let task = job.task { draining.patience.note(placeOf: task) }
    let isUnstructured = job.isUnstructured
    if let recorder { recorder.runs(job, at: now) }
    cvt_begin_job(job.pointer, jobsBegun)
    let readyBefore = draining.ready.count
    usersCode { if isExploring { Platform.runSeeingHops(job) } else { Platform.run(job) } }
    if !Platform.capturesMainActor { draining.main.rounds = 0 }
    guard cvt_thread_number() == number else { return }
    if job.kind == .arrival { goOn(afterArrivalOf: job, readyBefore: readyBefore) }
    if isUnstructured, Scope.seesCompletion { draining.live.didRun(job.pointer) }
  }

  /// Runs code of the user's, in which this thread may lose the baton.
  @inline(__always) private func usersCode(_ body: () -> Void) {
    cvt_baton_release()
    body()
    cvt_baton_come_back()
    cvt_baton_keep()
  }

  /// Takes the next step; returns why draining ends, if it does.
  private func takeStep() -> DrainingEnd? {
    // Counted under the lock, so that the thread on which the count falls to 0 finds the scope
    // parked.
    switch movingTime({ $0.next(isUnderway: $0.threads.mayRun(underwayElsewhere(), of: number)) }) {
    case .run(let jobs):
      for job in jobs { takeIn(job) }
    case .wake(let timer):
      wake(timer)
    case .resume(let driver, let outcome):
      driver.continuation.resume(returning: outcome)
    case .ask(let step, let driver):
      if !step() { state.withLock { $0.time.drivers.stepsAreDone(of: driver) } }
    case .askOutside(let sources):
      exempt { for source in sources { source.ask() } }
    case .tooManyEvents:
      tooManyEvents()
    case .waitedTooLong(let reason):
      waitedTooLong(reason)
    case .tooManyHolds(let openers):
      cancelBody(for: .tooManyHolds(by: openers, at: now, of: options, body: bodyNumber))
    case .cancelLeftovers:
      // Code of a host that stands still would answer no cancellation.
      return rch_end_paused_hosts(number) || cancelLeftovers() || endHosts() ? nil : .ended
    case .park:
      return .parked
    }
    return nil
  }

  /// Ends hosts when nothing of the scope can run; returns whether there were any.
  ///
  /// Otherwise code that ignores its cancellation would go on in real time, and connect to real
  /// servers. The test may still use the event loops of its own code, but not after one of many runs.
  private func endHosts() -> Bool {
    state.withLock { $0.threads.stragglers.isEmpty } && rch_end_hosts(number, isExploring)
  }

  /// Lets the state decide, and sets the clocks if it has moved time.
  @inline(__always) func movingTime<Decision>(
    _ decide: (inout ScopeState) -> Decision
  ) -> Decision {
    let (decision, hasMoved) = state.withLock { state in
      let decision = decide(&state)
      let hasMoved = state.time.now != now
      // Under the lock, because another thread may move time as soon as the scope is parked.
      if hasMoved { cvt_clocks_set_elapsed(clocks, state.time.now) }
      return (decision, hasMoved)
    }
    if hasMoved {
      draining.patience.timeMoved()
      if cvt_get(cvt_children) != 0 { lookForChildren() }
    }
    return decision
  }

  /// How many tasks of the scope are enqueued or run on other threads, as far as is seen, besides
  /// so many.
  func underwayElsewhere(besides others: Int32 = 0) -> Int32 {
    cvt_sees_jobs() ? cvt_underway(number) - others - tasksBehindMain : 0
  }

  /// How many tasks are enqueued, and cannot run because the main queue waits for something else.
  private var tasksBehindMain: Int32 {
    if draining.main.behind.isEmpty { return 0 }
    return Int32(
      draining.main.behind.count { job in
        guard let entry = job.entry else { return cvt_is_task(job.pointer) }
        return entry.pointee.task.map { cvt_is_counted($0) } ?? false
      })
  }

  /// Takes a job that another thread has enqueued.
  func takeIn(_ job: ReadyJob) {
    let job = isExploring ? withCandidate(job, isEnqueuedHere: false) : job
    if job.entry != nil { return draining.ready.append(job) }
    let isTask = cvt_is_task(job.pointer)
    makeReady(job, isTask ? cvt_task_record(cvt_task_id(job.pointer), false) : nil)
  }

  func wake(_ timer: SleepTimer) {
    if let recorder, timer.task != nil { recorder.woke(timer.task, at: now) }
    switch timer.wakeup {
    case .job(let job):
      if let task = timer.task {
        cvt_task_record(cvt_task_id(task), false).map { cvt_set_timer($0, 0) }
      }
      timer.releaseTask()
      run(ReadyJob(endingSleep: job))
    case .sleeper(let sleeper):
      sleeper.continuation?.resume()
    case .entry(let entry):
      rch_run(entry)
    }
  }
}
