import CVirtualTime
import _EscapementCore

// The seam between the engine and the explorer. A decision point is a moment at which more than one job
// or due sleeper could be next. Only orders that the runtime can produce are candidates: the jobs of
// the main actor keep their order, and so do those in the queue of an actor, which is one job here.

extension ScopeState {
  /// What is known while schedules are explored.
  struct Exploring {
    var explorer: Explorer
    let stallsAtOnce: Bool
    /// Whether the scope waited without work and was resumed from outside.
    var isResumedFromOutside = false
    /// The jobs that have become ready, by their numbers from 1.
    var jobs: [Explorer.Candidate] = []
    /// The task of the job that has run last.
    var latestTask: Int?
    private var sleepers: [TimerToken: Explorer.Candidate] = [:]

    private let journal: ScheduleJournal?

    init(_ run: ExploredRun) {
      journal = run.journal
      explorer = Explorer(run.source, recordsSteps: run.recordsSteps)
      stallsAtOnce = run.stallsAtOnce
    }

    /// Whether a job is the next one of the task that has run last.
    func goesOn(_ candidate: UInt32) -> Bool {
      latestTask != nil && jobs[Int(candidate) - 1].task == latestTask
    }

    mutating func add(_ task: UnsafeRawPointer?) -> Explorer.Candidate {
      explorer.add(taskID: task.map { cvt_task_id($0) }, place: task.map(placeOfTask) ?? [])
    }

    mutating func decide(among candidates: [Explorer.Candidate], at now: Nanoseconds) -> Int {
      let decision = explorer.trace.decisions
      let choice = explorer.decide(among: candidates, at: now)
      if choice > 0 { journal?.note(decision: decision, place: choice) }
      return choice
    }

    /// The candidates for sleepers that are due.
    mutating func candidates(
      _ due: [(token: TimerToken, element: SleepTimer)]
    ) -> [Explorer.Candidate] {
      due.map { token, timer in
        if let known = sleepers[token] { return known }
        let candidate = add(timer.task.map { UnsafeRawPointer($0) })
        sleepers[token] = candidate
        return candidate
      }
    }

    mutating func forget(_ token: TimerToken) { sleepers[token] = nil }
  }

  /// What is next while jobs are ready.
  enum Decision {
    /// The ready job at this place.
    case run(Int)
    /// A sleeper that is due.
    case wake(SleepTimer)
  }

  /// Decides what is next, given the ready jobs that could be.
  mutating func decide(
    among ready: [(place: Int, candidate: UInt32)]
  ) -> Decision {
    var due: [(token: TimerToken, element: SleepTimer)] = []
    if life.hasBody, holds == 0, let nextDeadline, nextDeadline <= now {
      due = timers.entries(through: now).filter { body == nil || $0.element.task != body }
    }
    guard var exploring else { return .run(ready[0].place) }
    defer { self.exploring = exploring }
    // A task that only changes its actor goes on at once, as it does without exploration.
    var ready = ready
    let goesOn = ready.indices.first { exploring.goesOn(ready[$0].candidate) }
    if let goesOn { ready.insert(ready.remove(at: goesOn), at: 0) }
    let jobs = ready.map { exploring.jobs[Int($0.candidate) - 1] }
    let all = jobs + exploring.candidates(due)
    let choice = all.count > 1 ? exploring.decide(among: all, at: now) : 0
    exploring.latestTask = choice < jobs.count ? jobs[choice].task : nil
    if choice < jobs.count { return .run(ready[choice].place) }
    let (token, timer) = due[choice - jobs.count]
    exploring.forget(token)
    _ = timers.remove(token)
    return .wake(timer)
  }

  /// Takes out one of the sleepers that are next; the body's is the last one.
  mutating func takeChosenSleeper() -> (deadline: Nanoseconds, timer: SleepTimer) {
    let deadline = max(now, timers.firstDeadline!)
    let all = timers.entries(through: deadline)
    let others = all.filter { body == nil || $0.element.task != body }
    let due = others.isEmpty ? all : others
    guard due.count > 1, var exploring else { return (deadline, take(due[0])) }
    let choice = exploring.decide(among: exploring.candidates(due), at: deadline)
    exploring.latestTask = nil
    self.exploring = exploring
    return (deadline, take(due[choice]))
  }

  private mutating func take(_ entry: (token: TimerToken, element: SleepTimer)) -> SleepTimer {
    exploring?.forget(entry.token)
    _ = timers.remove(entry.token)
    return entry.element
  }
}

extension Scope {
  /// Makes a job a candidate that has become ready.
  ///
  /// - Parameter isEnqueuedHere: Whether this thread has just enqueued it.
  func withCandidate(_ job: ReadyJob, isEnqueuedHere: Bool = true) -> ReadyJob {
    if job.candidate != 0 { return job }
    var task: UnsafeRawPointer?
    if cvt_is_task(job.pointer) {
      task = UnsafeRawPointer(job.pointer)
    } else if job.kind == .actor, isEnqueuedHere {
      // An actor becomes ready because of a task that has just been enqueued on it.
      task = cvt_last_enqueued()
    }
    var job = job
    job.candidate = state.withLock { state in
      guard let candidate = state.exploring?.add(task) else { return 0 }
      state.exploring?.jobs.append(candidate)
      return UInt32(state.exploring?.jobs.count ?? 0)
    }
    return job
  }

  /// Brings the job forward that is next, and wakes the sleepers that are to go before it.
  func decide() {
    while !hasDecided, ready.first != nil {
      var candidates: [(place: Int, candidate: UInt32)] = []
      var hasMainActor = false
      for place in 0..<ready.count {
        let job = ready[place]
        if job.kind == .mainActor {
          if hasMainActor { continue }
          hasMainActor = true
        }
        candidates.append((place, job.candidate))
      }
      switch state.withLock({ $0.decide(among: candidates) }) {
      case .run(let place):
        ready.bringForward(place)
        hasDecided = true
      case .wake(let timer):
        wake(timer)
      }
    }
  }
}

/// The frames of a task that does not run, innermost first.
private func placeOfTask(_ task: UnsafeRawPointer) -> [UInt] {
  [UInt](unsafeUninitializedCapacity: 12) { buffer, count in
    count = cvt_frames_of_task(task, buffer.baseAddress!, 12)
  }
}
