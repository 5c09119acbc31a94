import CReach
import CVirtualTime
import _EscapementCore

// The seam between the engine and the explorer. A decision point is a moment at which more than one
// job or due sleeper could be next. Only orders that the runtime can produce are candidates: the
// jobs of the main actor keep their order, and so do the blocks of a serial queue, and those in the
// queue of an actor, which is one job here.
//
// While schedules are explored, `Scope.decide` chooses before each job which one is next. The
// choice is made by `Explorer`, a value: the same source (a seed or a `ExecutionSchedule`) and the
// same candidates give the same choices. Without exploration, `Scope.isExploring` is false, and
// nothing else is asked. `ExploredRun` in the options of the scope says which source a run has, and
// takes its trace.
//
// A job of an actor counts as a job of the task that was enqueued there last on this thread, since
// the actor became ready because of it.

extension ScopeState {
  /// The state of an exploration in a scope.
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
    /// Whether there was work outside: a hold, an external source, or a scope without work that was
    /// resumed.
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
    /// The look at files that may be next, while someone waits for files.
    private var look: Explorer.Candidate?
    /// Whether nothing has run since files were looked at.
    private var hasLooked = false
    /// The candidates of the decision that is made, in memory that is used again.
    private var candidates: [Explorer.Candidate] = []
    private let journal: ScheduleJournal?
    /// `nil` if visits to actors are not counted.
    private let actorNumbers: ActorNumbers?

    init(_ run: ExploredRun, longestJob: Nanoseconds) {
      self.longestJob = longestJob
      journal = run.journal
      actorNumbers = run.counts.map { _ in ActorNumbers() }
      explorer = Explorer(run.source, recording: run.recording, counts: run.counts)
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
      _ task: UnsafeRawPointer?, yielding: UnsafeRawPointer?, actor: UInt,
      entry: UnsafeMutablePointer<rch_entry>?, at now: Nanoseconds
    ) -> UInt32 {
      jobs.append(add(task, yielding: yielding, suspended: task, actor: actor, entry: entry))
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
      _ task: UnsafeRawPointer?, yielding: UnsafeRawPointer?, suspended: UnsafeRawPointer?,
      actor: UInt = 0, entry: UnsafeMutablePointer<rch_entry>?
    ) -> Explorer.Candidate {
      explorer.add(
        taskID: task.map { cvt_task_id($0) }, yieldingID: yielding.map { cvt_task_id($0) },
        actor: actorNumbers?.number(of: actor) ?? 0,
        place: suspended.flatMap(WaitingPlace.init(of:)), work: entry.flatMap { Work($0) })
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
        // A sleep that takes no time is a yield: others go first.
        let isYield = timer.armedAt == now
        let candidate =
          known[token]
          ?? add(
            isYield ? nil : task, yielding: isYield ? task : nil, suspended: task,
            entry: timer.wakeup.entry)
        return Due(
          token: token, isBody: body != nil && timer.task == body, candidate: candidate)
      }
    }

    /// The choice of a decision: a ready job, a sleeper, or a look at files.
    enum Choice {
      case job(Int)
      case sleeper(TimerToken?)
      case look
    }

    /// Decides what is next, given the ready jobs that could be; the body's sleep is the last one.
    ///
    /// - Parameter mayLook: Whether someone waits for files.
    mutating func decide(
      among ready: [UInt32], mayLook: Bool = false, at now: Nanoseconds
    ) -> Choice {
      let goesOn = collect(ready)
      // After as many times in a row as in the plain order, another job is next.
      timesGoneOn = goesOn == nil ? 0 : timesGoneOn + 1
      if timesGoneOn > Int(cvt_asks_of_look), let last = goesOn, ready.count > 1 {
        (timesGoneOn, latestTask) = (0, 0)
        var others = ready
        others.remove(at: last)
        let choice = decide(among: others, mayLook: mayLook, at: now)
        if case .job(let job) = choice, job >= last { return .job(job + 1) }
        return choice
      }
      for sleeper in due where !sleeper.isBody { candidates.append(sleeper.candidate) }
      if candidates.isEmpty {
        if let body = due.first { explorer.runs(body.candidate) }
        return .sleeper(due.first?.token)
      }
      if mayLook, !hasLooked {
        let look = look ?? explorer.addLook()
        self.look = look
        candidates.append(look)
      }
      var choice = 0
      if candidates.count > 1 {
        let decision = explorer.trace.decisions
        choice = explorer.decide(among: candidates, at: now)
        if choice > 0 { journal?.note(decision: decision, place: choice) }
      }
      explorer.runs(candidates[choice])
      hasLooked = candidates[choice].number == look?.number
      if hasLooked {
        look = nil
        return .look
      }
      guard choice < ready.count else {
        latestTask = 0
        return .sleeper(due.first { $0.candidate.number == candidates[choice].number }?.token)
      }
      latestTask = candidates[choice].task
      guard let goesOn else { return .job(choice) }
      return .job(choice == 0 ? goesOn : choice <= goesOn ? choice - 1 : choice)
    }

    /// Makes the ready jobs candidates, in the order in which they would run; returns the index of
    /// the one that goes on at once.
    ///
    /// With pointers: this is what a decision among many costs in a build without optimisation.
    private mutating func collect(_ ready: [UInt32]) -> Int? {
      // A task that only changes its actor goes on at once, as it does without exploration.
      var goesOn: Int?
      let (count, latestTask) = (ready.count, latestTask)
      if candidates.count >= count {
        candidates.removeLast(candidates.count - count)
      } else {
        let any = jobs[Int(ready[0]) - 1]
        candidates.append(contentsOf: repeatElement(any, count: count - candidates.count))
      }
      candidates.withUnsafeMutableBufferPointer { all in
        jobs.withUnsafeBufferPointer { jobs in
          ready.withUnsafeBufferPointer { ready in
            guard let all = all.baseAddress, let jobs = jobs.baseAddress,
              let ready = ready.baseAddress
            else { return }
            var index = 0
            while index < count {
              all[index] = jobs[Int(ready[index]) - 1]
              if goesOn == nil, latestTask != 0, all[index].task == latestTask { goesOn = index }
              index += 1
            }
            guard var place = goesOn, place > 0 else { return }
            let first = all[place]
            while place > 0 {
              all[place] = all[place - 1]
              place -= 1
            }
            all[0] = first
          }
        }
      }
      return goesOn
    }

    /// Draws one of some events besides the usual one, which is 0.
    mutating func draw(
      _ count: Int, _ probability: Double, at now: Nanoseconds, step: ((Int) -> String?)?
    ) -> Int {
      let decision = explorer.trace.decisions
      let drawn = explorer.draw(count, probability, at: now, step: step)
      if drawn > 0 { journal?.note(decision: decision, place: drawn) }
      return drawn
    }

    /// No sleeper is to be woken now.
    mutating func lookAtNone() { (due, dueAt) = ([], nil) }
  }

  /// The next step while jobs are ready.
  enum Decision {
    /// The job with this index.
    case run(Int)
    /// A sleeper that is due.
    case wake(SleepTimer)
    /// The files for which the scope's threads and sources wait.
    case lookAtFiles
  }

  /// Decides what is next, given the ready jobs that could be.
  mutating func decide(among ready: [UInt32], mayLook: Bool) -> Decision {
    guard exploring != nil else { return .run(0) }
    // In its place: to move the value, which is large, would cost as much as a decision.
    let (now, body) = (time.now, body)
    let latest = movesByItself ? exploring!.latestTime(while: ready, at: now) : now
    if life.hasBody, time.holds.isEmpty, let nextDeadline = time.sleepers.nextDeadline,
      nextDeadline <= latest
    {
      exploring!.look(at: max(now, nextDeadline), time.sleepers.timers, body: body)
    } else {
      exploring!.lookAtNone()
    }
    switch exploring!.decide(among: ready, mayLook: mayLook, at: now) {
    case .job(let job): return .run(job)
    case .look: return .lookAtFiles
    case .sleeper(let sleeper):
      guard let timer = sleeper.flatMap({ time.sleepers.remove($0) }) else { return .run(0) }
      if let dueAt = exploring!.dueAt { time.move(to: dueAt) }
      return .wake(timer)
    }
  }

  /// Takes out one of the sleepers that are next.
  mutating func takeChosenSleeper() -> (deadline: Nanoseconds, timer: SleepTimer)? {
    guard exploring != nil else { return nil }
    let (deadline, body) = (max(time.now, time.sleepers.timers.firstDeadline ?? time.now), body)
    exploring!.look(at: deadline, time.sleepers.timers, body: body)
    guard case .sleeper(let sleeper) = exploring!.decide(among: [], at: deadline)
    else { return nil }
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
    let actor = job.kind == .arrival ? cvt_actor_of_arrival(job.pointer) : 0
    var job = job
    job.candidate = state.withLock { state in
      let now = state.time.now
      return state.exploring?.addJob(
        task, yielding: yielding, actor: actor, entry: job.entry, at: now) ?? 0
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
    draining.hasDecided = true
  }

  /// Brings the job forward that is next, and wakes the sleepers that are to go before it.
  func decide() {
    while !draining.hasDecided, draining.ready.first != nil {
      let (candidates, skipped, first) = candidates()
      if let first {
        draining.ready.bringForward(first)
        draining.hasDecided = true
        return
      }
      let mayLook = cvt_get(cvt_file_waits) != 0 && rch_waits_for_files(number)
      switch movingTime({ $0.decide(among: candidates, mayLook: mayLook) }) {
      case .run(var place):
        for other in skipped where other <= place { place += 1 }
        draining.ready.bringForward(place)
        draining.hasDecided = true
      case .wake(let timer):
        wake(timer)
      case .lookAtFiles:
        // Sent packets must have arrived, or the answer would depend on the kernel's
        // threads.
        _ = rch_await_delivery(number)
        rch_poll_files(number)
      }
    }
    if ExplorationVariables.tellsSteps, let run = options.exploredRun { tellSteps(of: run.source) }
  }

  /// The ready jobs that could be next, the places of all others, and the place of one that goes
  /// first.
  private func candidates() -> ([UInt32], skipped: [Int], first: Int?) {
    var (skipped, first): ([Int], Int?) = ([], nil)
    var rules = OvertakingRules()
    let count = draining.ready.count
    let candidates = [UInt32](unsafeUninitializedCapacity: count) { numbers, used in
      guard let numbers = numbers.baseAddress else { return }
      var place = 0
      while place < count, first == nil {
        let job = draining.ready[place]
        place += 1
        switch job.kind {
        case .task, .arrival, .actor, .resumption: break
        case .mainActor, .entry, .entryOnWorker, .entryOnMain, .thread:
          guard rules.allows(job) else {
            skipped.append(place - 1)
            continue
          }
          if let entry = job.entry, entry.pointee.goes_first { first = place - 1 }
        }
        numbers[used] = job.candidate
        used += 1
      }
    }
    return (candidates, skipped, first)
  }

  /// Tells the steps that have been decided, before the next one kills the process.
  private func tellSteps(of source: ScheduleSource) {
    let steps = state.withLock { $0.exploring?.explorer.takeSteps() ?? [] }
    for step in steps where source.decides(step.decision) {
      Progress.tell("\(ReplayedCrash.beginningOfStep)\(step)\n")
    }
  }
}
