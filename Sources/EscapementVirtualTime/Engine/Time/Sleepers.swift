import CVirtualTime
import _EscapementCore

/// The timers of a scope, each of which wakes a task, a thread or a timer of a queue.
struct Sleepers {
  private(set) var timers = TimerQueue<Nanoseconds, SleepTimer>()
  /// The names of those sleeping tasks that have one; may hold some that no longer sleep.
  private var names: [TimerToken: String] = [:]
  /// The cancelled sleeps whose jobs have still to run.
  private var cancelled = SleepJobs()
  /// How much is left of timers that stand, since the machine of their life is suspended.
  private var standing: [UInt16: [TimerToken: Nanoseconds]] = [:]
  /// Observers that are told of each new sleep.
  var observers = SleepObservers()

  /// The earliest deadline that time can reach.
  var nextDeadline: Nanoseconds? {
    timers.firstDeadline.flatMap { $0 == .never ? nil : $0 }
  }

  /// The sleeping tasks and threads, in the order in which they will wake.
  var all: [Sleep] {
    timers.inOrder.compactMap { deadline, token, timer in
      if case .entry = timer.wakeup, timer.task == nil { return nil }
      let task = timer.task.map { TaskDescription(id: cvt_task_id($0), name: names[token]) }
      return Sleep(
        task: task, clock: timer.clock, pointer: timer.task, token: token, start: timer.armedAt,
        deadline: deadline)
    }
  }

  /// Arms a timer.
  ///
  /// - Parameter isLast: Whether it wakes behind all others of the same deadline.
  mutating func arm(
    _ timer: SleepTimer, until deadline: Nanoseconds, name: String?, isLast: Bool
  ) -> TimerToken {
    // Code of a suspended host goes on until it waits.
    let stands = !standing.isEmpty && standing[timer.suspendingLife] != nil
    let token = timers.insert(timer, at: stands ? .never : deadline, last: isLast)
    if stands {
      standing[timer.suspendingLife]?[token] = max(deadline, timer.armedAt) - timer.armedAt
    }
    if let name {
      if names.count > 2 * timers.count { names = names.filter { timers.contains($0.key) } }
      names[token] = name
    }
    return token
  }

  /// Replaces what ends a sleep that is under way.
  ///
  /// Returns `false` if it has ended.
  mutating func replaceWakeup(of token: TimerToken, by wakeup: SleepTimer.Wakeup) -> Bool {
    timers.update(token) { $0.wakeup = wakeup }
  }

  mutating func remove(_ token: TimerToken) -> SleepTimer? { timers.remove(token) }

  mutating func popFirst() -> (deadline: Nanoseconds, timer: SleepTimer)? {
    let first = timers.popFirst()
    timers.first?.prefetch()
    return first.map { ($0.deadline, $0.element) }
  }

  mutating func removeAll(where isMeant: (SleepTimer) -> Bool) {
    for (_, token, timer) in timers.inOrder where isMeant(timer) { _ = timers.remove(token) }
  }

  // MARK: Machines that are suspended

  /// The machine of a life is suspended: its timers stand.
  mutating func suspend(_ life: UInt16, at now: Nanoseconds) {
    var rests: [TimerToken: Nanoseconds] = [:]
    timers.changeDeadlines { deadline, token, timer in
      guard deadline != .never, timer.suspendingLife == life else { return deadline }
      rests[token] = max(deadline, now) - now
      return .never
    }
    standing[life] = rests
  }

  /// The machine of a life goes on.
  mutating func resume(_ life: UInt16, at now: Nanoseconds) {
    guard let rests = standing.removeValue(forKey: life), !rests.isEmpty else { return }
    timers.changeDeadlines { deadline, token, _ in
      rests[token].map { now.addingSaturating($0) } ?? deadline
    }
  }

  /// Takes out the timer of a sleep of a standard clock.
  mutating func removeSleep(_ timer: UInt64) -> (job: UnownedJob, timer: SleepTimer)? {
    guard timer != 0, let removed = timers.remove(TimerToken(rawValue: timer)),
      case .job(let job) = removed.wakeup
    else { return nil }
    return (job, removed)
  }

  // MARK: Cancelled sleeps

  /// The job of a cancelled sleep runs later; returns a number for `takeCancelled`.
  mutating func setAside(_ job: UnownedJob) -> UInt32 { cancelled.begin(job) }

  mutating func takeCancelled(_ id: UInt32) -> UnownedJob? { cancelled.end(id) }

  /// Takes out the jobs of the cancelled sleeps whose tasks have not run since, or never suspended.
  mutating func takeAllCancelled() -> [UnownedJob] {
    defer { cancelled = SleepJobs() }
    return cancelled.all
  }
}
