import CReach
import CVirtualTime
import _EscapementCore

// Work that is not a task's: entries of the ready queue and of the timer queue, and threads that
// wait for the baton. `CReach` knows what they are.
//
// A thread that has the baton may *park* in the middle of its job (`Scope.park`): it hands the
// baton to a worker and waits for a semaphore. The code that ends this wait makes an entry ready
// whose place is that thread. The thread that comes to this entry gives the parked thread the
// baton, which goes on with its job and then drains on. So no thread is blocked by the one that it
// has handed the baton to. While a thread of the main queue is parked, main-actor jobs and blocks
// of the main queue are kept until it has gone on. If it runs a task that is not the main actor's,
// it does the work of the main queue meanwhile, of all scopes (`MainQueue.work`), and lets no other
// such task run there.
//
// When a scope ends, blocks that are due later are dropped. Those that are ready or kept are given
// to the real queue, which may serve others who rely on them. Parked threads go on outside:
// timeouts have expired, and a wait without one goes on for real. The main thread returns from it,
// because others need it. If the caller's thread is parked, the caller goes on on another one.

extension Scope {
  /// Whether blocks, threads and what they wait for belong to the scope.
  var reaches: Bool {
    Reach.works && options.queuesAndThreads == .virtual && clocks.pointee.isVirtual
  }

  /// Whether a thread that waits for what the scope does not know loses the baton.
  var losesBaton: Bool { reaches && Reach.seesSleep }

  func beginReach() {
    guard reaches else { return }
    rch_scope_begins(number)
    if losesBaton { BatonWatch.wake() }
  }

  /// Lets go what has not run, and the threads that wait.
  func endReach() {
    for entry in state.withLock({ $0.takeEntries() }) { rch_drop(entry) }
    rch_scope_ends(number)
  }

  /// Takes an entry; returns `false` if the scope has ended.
  func accept(_ job: ReadyJob) -> Bool {
    guard let mustDrain = state.withLock({ $0.addEntry(job) }) else { return false }
    if mustDrain { handOver(to: job.isOnMain ? .main : nil) }
    return true
  }

  /// Hands on the baton, which this thread has, while it waits for another thread to give it back.
  ///
  /// The thread is inside a job. When it has the baton again, it goes on with that job, and then
  /// drains on.
  ///
  /// - Parameters:
  ///   - entry: The entry with which the baton comes back.
  ///   - wait: Waits for the baton. Returns `false` once for each poke.
  ///   - poke: Lets `wait` return.
  /// - Returns: Whether the thread must come back even if the scope has ended.
  fileprivate func park(
    _ entry: UnsafeMutablePointer<rch_entry>, _ wait: () -> Bool, poke: @escaping () -> Void
  ) -> Bool {
    cvt_baton_keep()
    defer { cvt_baton_release() }
    // It may have been lost on the way here.
    if cvt_baton_is_lost(), state.withLock({ $0.threads.isStraggler(cvt_thread_id()) }) {
      return regain(nil) { _ = wait() }
    }
    let isGuest = isGuestOnMain
    let thread = cvt_thread_state()
    let actor = cvt_current_actor()
    let (drainer, isCaller) = state.withLock { state in
      state.threads.park(on: actor)
      if state.threads.parked == options.threadLimit { draining.patience.isExceeded(by: .threads) }
      return state.baton.beginWait()
    }
    let tasks = tasksHere
    if isGuest {
      draining.main.guest = Guest(
        entry: entry, thread: cvt_thread_id(), tasks: tasks, others: draining.main.others)
    } else if drainer == .main {
      draining.main.isWaiting = true
    }
    let next = takeNextThread()
    cvt_add_to_underway(number, -tasks)
    cvt_thread_set_state(cvt_thread())
    if let next { handOver(toThreadOf: next) } else { handOver(to: .worker) }
    if isGuest {
      // Code that runs here meanwhile may lose the baton.
      cvt_baton_release()
      MainQueue.work(until: wait, poke: poke)
      cvt_baton_keep()
    } else {
      _ = wait()
    }
    state.withLock { $0.threads.unpark(from: actor) }
    return goOn(thread, by: drainer, tasks: tasks, isCaller: isCaller)
  }

  /// Whether this thread, which has the baton, runs code on the main queue that does not belong
  /// there.
  var isGuestOnMain: Bool {
    draining.main.others > 0 && state.withLock { $0.baton.drainer == .main } && !MainQueue.hasGuest
  }

  /// How many tasks are under way on this thread, besides those of a guest of the main queue that
  /// waits beneath.
  private var tasksHere: Int32 {
    let tasks = cvt_tasks_of(cvt_baton_here(), number)
    guard let guest = draining.main.guest, guest.thread == cvt_thread_id() else { return tasks }
    return tasks - guest.tasks
  }

  /// Hands the baton to the user's thread that waits for it.
  func handOver(toThreadOf entry: UnsafeMutablePointer<rch_entry>) {
    // This thread may end before the other one runs.
    _ = state.withLock { $0.baton.handOver(to: nil) }
    rch_run(entry)
  }

  /// This thread has been given the baton again, or the scope has ended.
  ///
  /// - Returns: Whether the thread must come back even if the scope has ended.
  func goOn(_ thread: cvt_thread, by drainer: Drainer, tasks: Int32, isCaller: Bool) -> Bool {
    let goesOn = state.withLock {
      $0.takeBaton(
        by: drainer, thread: cvt_thread_id(), isCaller: isCaller, baton: cvt_baton_here())
    }
    if goesOn {
      cvt_thread_set_state(thread)
      cvt_add_to_underway(number, tasks)
      if drainer == .main {
        for job in draining.main.goOn() { draining.ready.append(job) }
      }
    } else if drainer != .main, !rch_is_idle_shared_thread(), Scopes.isGivenUp(number) {
      // The code of such a scope never runs again.
      cvt_wait_for_ever()
    }
    return drainer == .main
  }

  /// Moves time to an instant on this thread, which has the baton and waits busily, if nothing else
  /// of the scope can happen until then: it would come back at once.
  fileprivate func passTime(to instant: Nanoseconds) -> Bool {
    cvt_baton_keep()
    defer { cvt_baton_release() }
    guard hasNothingBesides else { return false }
    let own = tasksHere
    return movingTime {
      $0.passTime(
        to: instant, isUnderway: $0.threads.mayRun(underwayElsewhere(besides: own), of: number))
    }
  }

  /// Whether nothing of the scope can happen but that this thread goes on, which has the baton.
  fileprivate var isAlone: Bool {
    cvt_baton_keep()
    defer { cvt_baton_release() }
    guard hasNothingBesides else { return false }
    let own = tasksHere
    return state.withLock {
      $0.isAlone(isUnderway: $0.threads.mayRun(underwayElsewhere(besides: own), of: number))
    }
  }

  /// Whether this thread has the baton, and nothing is ready besides what it runs.
  private var hasNothingBesides: Bool {
    !cvt_baton_is_lost() && !cvt_is_lost() && draining.ready.first == nil
      && draining.main.behind.isEmpty && !draining.mayHaveStragglers && !pollFiles()
  }

  /// Moves time to the deadline of this thread's sleep, if nothing else of the scope can happen
  /// until then, and nobody sees the sleep: to hand the baton on and back takes much longer.
  fileprivate func sleepAlone(until deadline: Nanoseconds) -> Bool {
    guard recorder == nil, deadline <= .last, cvt_get(cvt_file_waits) == 0,
      state.withLock({ $0.time.sleepers.observers.isEmpty })
    else { return false }
    return passTime(to: deadline)
  }

  /// Takes out what is ready first, if that is a thread: it needs no worker to be given the baton.
  private func takeNextThread() -> UnsafeMutablePointer<rch_entry>? {
    if isExploring { return nil }
    if draining.ready.first == nil { _ = pollFiles() }
    guard let job = draining.ready.first, job.kind == .thread, !draining.main.keeps(job),
      allowsJob()
    else { return nil }
    draining.ready.popFirst()
    if keepsForHost(job) { return nil }
    noteWork(of: job)
    return job.entry
  }

  /// This thread, which is the user's, has been given the baton.
  ///
  /// - Returns: Whether the scope has not ended.
  func enter(by drainer: Drainer = .worker) -> Bool {
    cvt_baton_keep()
    defer { cvt_baton_release() }
    guard
      state.withLock({ $0.takeBaton(by: drainer, thread: cvt_thread_id(), baton: cvt_baton_here()) }
      )
    else { return false }
    var thread = cvt_thread_state()
    thread.scope = Unmanaged.passUnretained(self).toOpaque()
    thread.clocks = clocks
    thread.number = number
    thread.explores = isExploring
    cvt_thread_set_state(thread)
    return true
  }

  /// The user's thread ends; it may have lost the baton to the end of the scope.
  func leave() {
    cvt_baton_come_back()
    guard cvt_thread_number() == number else { return }
    cvt_baton_keep()
    defer { cvt_baton_release() }
    let hasBaton = !cvt_is_lost()
    cvt_thread_set_state(cvt_thread())
    if hasBaton { handOver(to: .worker) }
  }
}

/// A `hold { }` that is under way, or has ended while a task goes on that was made in it.
final class OpenHold: Sendable {
  private let outer: OpenHold?
  private let isUnderWay = Lock(true)

  init(inside outer: OpenHold?) { self.outer = outer }

  var isOpen: Bool { isUnderWay.withLock(\.self) || outer?.isOpen == true }

  func close() { isUnderWay.withLock { $0 = false } }
}

/// The seam between the engine and `CReach`.
enum Reach {
  /// Whether the overrides have been tried and found to work.
  static var works: Bool { cvt_get(cvt_reach_works) != 0 }

  /// Whether the kernel tells that a thread sleeps; else one that has the baton and waits keeps it.
  static var seesSleep: Bool { cvt_get(cvt_sleep_is_seen) != 0 }

  /// The `hold { }` in which the current task is, or was made.
  @TaskLocal static var hold: OpenHold?

  /// Whether the current task is inside a `hold { }`: it does real work, with real queues and
  /// threads.
  static var isHeld: Bool { hold?.isOpen ?? false }

  static func connect() {
    guard Platform.reachesQueues else { return }
    rch_connect(
      rch_engine(
        enqueue: { entry in
          let number = entry.pointee.scope
          if let here = Scope.onThisThread, here.number == number, !cvt_is_lost(),
            cvt_baton_try_keep()
          {
            let job = ReadyJob(entry)
            here.draining.ready.append(here.isExploring ? here.withCandidate(job) : job)
            cvt_baton_release()
            return true
          }
          return Scopes.find(number)?.accept(ReadyJob(entry)) ?? false
        },
        arm: { entry, deadline, isSleep in
          guard let scope = Scopes.find(entry.pointee.scope) else { return 0 }
          let timer = SleepTimer(entry, isSleep: isSleep, armedAt: scope.now)
          let isOfVisitor = isSleep && cvt_thread_is_visitor()
          let time = scope.time(deadline, on: timer.lifeOfEntry)
          return scope.arm(timer, until: time, isOfVisitor: isOfVisitor)?.rawValue ?? 0
        },
        disarm: { number, timer in
          Scopes.find(number)?.state.withLock {
            $0.time.sleepers.remove(TimerToken(rawValue: timer)) != nil
          } ?? false
        },
        park: { entry, wait, poke, context in
          Scope.onThisThread!.park(entry, { wait(context) }, poke: { poke(context) })
        },
        is_guest: { Scope.onThisThread?.isGuestOnMain ?? false },
        pass_time: { number, instant in
          guard let here = Scope.onThisThread, here.number == number else { return false }
          return here.passTime(to: here.time(instant, on: cvt_current_life()))
        },
        is_alone: { number in
          guard let here = Scope.onThisThread, here.number == number else { return false }
          return here.isAlone
        },
        sleep_alone: { number, deadline in
          guard let here = Scope.onThisThread, here.number == number else { return false }
          return here.sleepAlone(until: here.time(deadline, on: cvt_current_life()))
        },
        regain: { entry, wait, context in
          Scope.onThisThread!.regain(ReadyJob(entry)) { wait(context) }
        },
        enter: { number in
          guard let scope = Scopes.find(number), scope.enter() else { return nil }
          return Unmanaged.passRetained(scope).toOpaque()
        },
        is_given_up: { Scopes.isGivenUp($0) },
        leave: { stay in Unmanaged<Scope>.fromOpaque(stay).takeRetainedValue().leave() },
        hold: { number, begins in
          guard let scope = Scopes.find(number) else { return }
          if begins { scope.openHold() } else { scope.closeHold() }
        },
        is_held: { Reach.isHeld },
        look: { number in Scopes.find(number)?.wakeUp() },
        uses_foreign_loop: { Scopes.find($0)?.usesForeignLoop() },
        meets_foreign_loop: { Scopes.find($0)?.meetsForeignLoop(isShared: $1) },
        meets_loop_of_other_host: { Scopes.find($0)?.meetsLoopOfOtherHost() },
        meets_shared_pool: { Scopes.find($0)?.meetsSharedPool() },
        meets_server: { number, server, name in
          Scopes.find(number)?.meets(server, String(cString: name))
        },
        draw: { number, draw in
          Scopes.find(number)?.draw(draw) ?? 0
        },
        lateness: { number, tolerance in
          guard let here = Scope.onThisThread, here.number == number else { return 0 }
          return here.lateness(within: tolerance)
        },
        record: { number, event in
          guard let scope = Scopes.find(number) else { return }
          scope.recorder?.happened(event, at: scope.now)
        },
        life_has_changed: { Scope.lifeHasChanged($0, $1) },
        abandon: { Scope.onThisThread?.leave() },
        shares_session: { Scopes.find($0)?.sharesSession() }))
  }
}

/// Uses queues and threads that serve the whole process, whatever scope's code this thread runs:
/// they are real then.
@inline(__always) package func exempt<Result>(_ body: () -> Result) -> Result {
  cvt_thread_exempt(+1)
  defer { cvt_thread_exempt(-1) }
  return body()
}
