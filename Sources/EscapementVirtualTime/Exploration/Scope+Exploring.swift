import CReach
import CVirtualTime
import _EscapementCore

// The seam between the engine and the explorer. A decision point is a moment at which more than one job
// or due sleeper could be next. Only orders that the runtime can produce are candidates: the jobs of
// the main actor keep their order, and so do the blocks of a serial queue, and those in the queue of
// an actor, which is one job here.

extension ScopeState {
  /// What is known while schedules are explored.
  struct Exploring {
    /// A sleeper that is due.
    private struct Due {
      let token: TimerToken
      let isBody: Bool
      let candidate: Explorer.Candidate
    }

    var explorer: Explorer
    private let stallsAtOnce: Bool
    /// How long a job may take, so that time passes while others are ready.
    private let longestJob: Nanoseconds
    /// Whether there was work outside: a hold, an outsider, or a scope without work that was resumed.
    var hasWorkOutside = false
    /// Whether the scope was taken for stuck without a wait in real time.
    private(set) var wasStuckAtOnce = false
    /// The jobs that have become ready, by their numbers from 1.
    private(set) var jobs: [Explorer.Candidate] = []
    /// When these have become ready, if that matters.
    private var readyAt: [Nanoseconds] = []
    /// The sleepers that are due, at the instant at which that was looked at.
    private var due: [Due] = []
    private(set) var dueAt: Nanoseconds?
    /// The task of the job that has run last, or 0.
    private var latestTask = 0
    /// At how many decision points in a row the task of the job before could go on.
    private var timesGoneOn = 0
    private let journal: ScheduleJournal?
    /// Memory that each decision uses again.
    private var buffer: [Explorer.Candidate] = []

    init(_ run: ExploredRun, longestJob: Nanoseconds) {
      self.longestJob = longestJob
      journal = run.journal
      explorer = Explorer(run.source, recording: run.recording)
      stallsAtOnce = run.stallsAtOnce
    }

    /// Whether a scope without work is stuck, and need not be waited for.
    mutating func isStuckAtOnce() -> Bool {
      // Where the runtime does not tell of jobs, one may be outside.
      guard stallsAtOnce, !hasWorkOutside, cvt_sees_jobs() else { return false }
      wasStuckAtOnce = true
      return true
    }

    /// A job becomes ready; returns its number.
    mutating func addJob(
      _ task: UnsafeRawPointer?, yielding: UnsafeRawPointer?,
      entry: UnsafeMutablePointer<rch_entry>?, at now: Nanoseconds
    ) -> UInt32 {
      jobs.append(add(task, yielding: yielding, entry: entry))
      if longestJob > 0 { readyAt.append(now) }
      return UInt32(jobs.count)
    }

    /// Until when time may pass although these jobs are ready, the oldest one first.
    ///
    /// A job waits for no longer than another one may take, or it could be overtaken for ever.
    func latestTime(while ready: [UInt32], at now: Nanoseconds) -> Nanoseconds {
      longestJob > 0 ? max(now, readyAt[Int(ready[0]) - 1].addingSaturating(longestJob)) : now
    }

    private mutating func add(
      _ task: UnsafeRawPointer?, yielding: UnsafeRawPointer? = nil,
      entry: UnsafeMutablePointer<rch_entry>?
    ) -> Explorer.Candidate {
      explorer.add(
        taskID: task.map { cvt_task_id($0) }, yieldingID: yielding.map { cvt_task_id($0) },
        place: task.flatMap(WaitingPlace.init(of:)), work: entry.flatMap { Work($0) })
    }

    /// A sleeper is armed.
    mutating func armed(until deadline: Nanoseconds) {
      if let dueAt, deadline <= dueAt { self.dueAt = nil }
    }

    /// Looks who is due at an instant.
    mutating func look(
      at now: Nanoseconds, _ timers: borrowing TimerQueue<Nanoseconds, SleepTimer>,
      body: UnsafeMutableRawPointer?
    ) {
      if dueAt == now { return due.removeAll { !timers.contains($0.token) } }
      dueAt = now
      let known = Dictionary(uniqueKeysWithValues: due.map { ($0.token, $0.candidate) })
      due = timers.entries(through: now).map { token, timer in
        let task = timer.task.map { UnsafeRawPointer($0) }
        let candidate = known[token] ?? add(task, entry: timer.wakeup.entry)
        return Due(
          token: token, isBody: body != nil && timer.task == body, candidate: candidate)
      }
    }

    /// Decides what is next, given the ready jobs that could be; the body's sleep is the last one.
    ///
    /// Returns the index of a job, or the sleeper.
    mutating func decide(
      among ready: [UInt32], at now: Nanoseconds
    ) -> (job: Int, sleeper: TimerToken?) {
      // A task that only changes its actor goes on at once, as it does without exploration. After as many times in a
      // row as there, another job is next.
      let goesOn =
        latestTask == 0 ? nil : ready.firstIndex { jobs[Int($0) - 1].task == latestTask }
      timesGoneOn = goesOn == nil ? 0 : timesGoneOn + 1
      if timesGoneOn > Int(cvt_asks_of_look), let last = goesOn, ready.count > 1 {
        (timesGoneOn, latestTask) = (0, 0)
        var others = ready
        others.remove(at: last)
        let (job, sleeper) = decide(among: others, at: now)
        return (sleeper == nil && job >= last ? job + 1 : job, sleeper)
      }
      var candidates: [Explorer.Candidate] = []
      swap(&candidates, &buffer)
      defer { swap(&candidates, &buffer) }
      candidates.removeAll(keepingCapacity: true)
      if let goesOn { candidates.append(jobs[Int(ready[goesOn]) - 1]) }
      for index in ready.indices where index != goesOn {
        candidates.append(jobs[Int(ready[index]) - 1])
      }
      for sleeper in due where !sleeper.isBody { candidates.append(sleeper.candidate) }
      if candidates.isEmpty { return (0, due.first?.token) }
      var choice = 0
      if candidates.count > 1 {
        let decision = explorer.trace.decisions
        choice = explorer.decide(among: candidates, at: now)
        if choice > 0 { journal?.note(decision: decision, place: choice) }
      }
      guard choice < ready.count else {
        latestTask = 0
        return (0, due.first { $0.candidate.number == candidates[choice].number }?.token)
      }
      latestTask = candidates[choice].task
      guard let goesOn else { return (choice, nil) }
      return (choice == 0 ? goesOn : choice <= goesOn ? choice - 1 : choice, nil)
    }

    /// No sleeper is to be woken now.
    mutating func lookAtNone() { (due, dueAt) = ([], nil) }
  }

  /// What is next while jobs are ready.
  enum Decision {
    /// The job with this index.
    case run(Int)
    /// A sleeper that is due.
    case wake(SleepTimer)
  }

  /// Decides what is next, given the ready jobs that could be.
  mutating func decide(among ready: [UInt32]) -> Decision {
    guard var exploring = exploring.take() else { return .run(0) }
    defer { self.exploring = exploring }
    let latest = movesByItself ? exploring.latestTime(while: ready, at: time.now) : time.now
    if life.hasBody, time.holds.isEmpty, let nextDeadline = time.sleepers.nextDeadline,
      nextDeadline <= latest
    {
      exploring.look(at: max(time.now, nextDeadline), time.sleepers.timers, body: body)
    } else {
      exploring.lookAtNone()
    }
    let (job, sleeper) = exploring.decide(among: ready, at: time.now)
    guard let timer = sleeper.flatMap({ time.sleepers.remove($0) }) else { return .run(job) }
    if let dueAt = exploring.dueAt { time.move(to: dueAt) }
    return .wake(timer)
  }

  /// Takes out one of the sleepers that are next.
  mutating func takeChosenSleeper() -> (deadline: Nanoseconds, timer: SleepTimer)? {
    // Only then is the value moved, which is large.
    guard exploring != nil, var exploring = exploring.take() else { return nil }
    defer { self.exploring = exploring }
    let deadline = max(time.now, time.sleepers.timers.firstDeadline ?? time.now)
    exploring.look(at: deadline, time.sleepers.timers, body: body)
    let (_, sleeper) = exploring.decide(among: [], at: deadline)
    return sleeper.flatMap { time.sleepers.remove($0) }.map { (deadline, $0) }
  }
}

extension Scope {
  /// Makes a job a candidate that has become ready.
  ///
  /// - Parameter isEnqueuedHere: Whether this thread has just enqueued it.
  func withCandidate(_ job: ReadyJob, isEnqueuedHere: Bool = true) -> ReadyJob {
    if job.candidate != 0 { return job }
    var (task, yielding): (UnsafeRawPointer?, UnsafeRawPointer?) = (nil, nil)
    if job.entry != nil {
      // It is not a task's.
    } else if cvt_is_task(job.pointer) {
      task = UnsafeRawPointer(job.pointer)
    } else if job.kind == .actor, isEnqueuedHere {
      // An actor becomes ready because of a task that has just been enqueued on it.
      task = cvt_last_enqueued()
    } else if job.kind == .resumption, isEnqueuedHere {
      // The end of a yield, which the task has enqueued that runs.
      yielding = cvt_current_task().map { UnsafeRawPointer($0) }
    }
    var job = job
    job.candidate = state.withLock { state in
      let now = state.time.now
      return state.exploring?.addJob(task, yielding: yielding, entry: job.entry, at: now) ?? 0
    }
    return job
  }

  /// Lets an actor run at once that had nothing to do before a task arrived.
  ///
  /// When the task arrives has been decided, and it might as well have arrived later.
  func goOn(afterArrivalOf arrived: ReadyJob, readyBefore: Int) {
    guard !cvt_is_lost(), draining.ready.count == readyBefore + 1,
      cvt_last_enqueued() == UnsafeRawPointer(arrived.pointer)
    else { return }
    let job = draining.ready[readyBefore]
    switch job.kind {
    case .actor: break
    case .mainActor where !(0..<readyBefore).contains { draining.ready[$0].isOnMain }: break
    default: return
    }
    draining.ready.bringForward(readyBefore)
    draining.choosing.hasDecided = true
  }

  /// Brings the job forward that is next, and wakes the sleepers that are to go before it.
  func decide() {
    while !draining.choosing.hasDecided, draining.ready.first != nil {
      var candidates: [UInt32] = []
      swap(&candidates, &draining.choosing.buffer)
      defer { swap(&candidates, &draining.choosing.buffer) }
      candidates.removeAll(keepingCapacity: true)
      // The places of those that are no candidates.
      var skipped: [Int] = []
      var order = QueueOrder()
      for place in 0..<draining.ready.count {
        let job = draining.ready[place]
        guard order.allows(job) else {
          skipped.append(place)
          continue
        }
        if let entry = job.entry, entry.pointee.goes_first {
          draining.ready.bringForward(place)
          draining.choosing.hasDecided = true
          return
        }
        candidates.append(job.candidate)
      }
      switch movingTime({ $0.decide(among: candidates) }) {
      case .run(var place):
        for other in skipped where other <= place { place += 1 }
        draining.ready.bringForward(place)
        draining.choosing.hasDecided = true
      case .wake(let timer):
        wake(timer)
      }
    }
    if ExplorationVariables.tellsSteps, let run = options.exploredRun { tellSteps(of: run.source) }
  }

  /// Tells the steps that have been decided, before the next one kills the process.
  private func tellSteps(of source: ScheduleSource) {
    let steps = state.withLock { $0.exploring?.explorer.takeSteps() ?? [] }
    for step in steps where source.decides(step.decision) {
      Progress.tell("\(ReplayedCrash.beginningOfStep)\(step)\n")
    }
  }
}

/// Which ready jobs must not overtake others, given them in their order.
private struct QueueOrder {
  private var hasMain = false
  /// The queues that have blocks, and whether one of these is exclusive.
  private var queues: [UnsafeRawPointer: Bool] = [:]

  /// Whether the next job may overtake all that were given before.
  mutating func allows(_ job: ReadyJob) -> Bool {
    if job.isOnMain {
      defer { hasMain = true }
      return !hasMain
    }
    guard let entry = job.entry?.pointee, let queue = entry.queue else { return true }
    let former = queues[queue]
    queues[queue] = former == true || entry.is_exclusive
    return former == nil || former == false && !entry.is_exclusive
  }
}
