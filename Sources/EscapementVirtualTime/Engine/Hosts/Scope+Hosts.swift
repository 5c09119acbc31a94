import CReach
import CVirtualTime

// Hosts of a simulated network that are paused or have crashed. Their code, and all that it makes,
// belongs to a *life* of the host, and each restart begins a new one.
//
// A task of such a life is turned away when it is about to run, wherever that is, and comes to the
// waiting room (`cvt_turn_away`). Blocks and the turns of threads are kept here before they run. A
// paused host gets all of it back when it goes on. Of a crashed one, tasks stay where they are for
// ever, blocks run without their functions, and threads end when their turn comes. Objects that
// dead code has captured are never freed: they would close files whose numbers others have by now.

extension ScopeState {
  /// Keeps a job of a paused host.
  mutating func keep(_ job: ReadyJob, of life: UInt16) { kept.append((life, job)) }

  /// Takes out the jobs that are kept for a life.
  fileprivate mutating func takeKept(of life: UInt16) -> [ReadyJob] {
    let jobs = kept.filter { $0.life == life }.map(\.job)
    kept.removeAll { $0.life == life }
    return jobs
  }

  /// A life has ended: none of its sleeps comes to its end, and none of its holds lasts.
  ///
  /// Returns whether a thread must start to drain the scope.
  fileprivate mutating func forget(_ life: UInt16) -> Bool {
    let wasHeld = !time.holds.isEmpty
    time.sleepers.resume(life, at: time.now)
    time.sleepers.removeAll { timer in
      // A thread ends its sleep itself.
      if let entry = timer.wakeup.entry { return entry.pointee.life == life }
      return timer.task.map { cvt_life_of($0) } == life
    }
    for task in time.holds.tasks.keys where cvt_life_of(task) == life {
      time.holds.closeAll(of: task)
    }
    return wasHeld && time.holds.isEmpty && startDraining()
  }
}

extension Scope {
  /// The time of the scope at a time of the machine on which a life is.
  func time(_ time: Nanoseconds, on life: UInt16) -> Nanoseconds {
    life == 0 ? time : time.addingSaturating(cvt_suspended_time(number, life, now))
  }

  /// Keeps a block or the turn of a thread if its host is paused; returns whether it is.
  @inline(__always) func keepsForHost(_ job: ReadyJob) -> Bool {
    guard let entry = job.entry, entry.pointee.life != 0,
      cvt_state_of_life(number, entry.pointee.life) == cvt_life_is_paused
    else { return false }
    state.withLock { $0.keep(job, of: entry.pointee.life) }
    return true
  }

  /// A paused host goes on, in the order in which its work has come.
  fileprivate func resume(_ life: UInt16) {
    let kept = state.withLock {
      $0.time.sleepers.resume(life, at: $0.time.now)
      return $0.takeKept(of: life)
    }
    for job in kept {
      if job.entry == nil {
        cvt_task_record(cvt_task_id(job.pointer), false).map { cvt_keep_task($0, false) }
      }
      acceptFromElsewhere(job)
    }
  }

  /// A host has crashed.
  fileprivate func end(_ life: UInt16) {
    let (kept, mustDrain) = state.withLock { ($0.takeKept(of: life), $0.forget(life)) }
    // Threads end when their turn comes, and blocks let others into their queues.
    for job in kept where job.entry != nil { acceptFromElsewhere(job) }
    if mustDrain { handOver() }
  }

  /// The state of a life has changed.
  static func lifeHasChanged(_ number: UInt32, _ life: UInt16) {
    guard let scope = Scopes.find(number) else { return }
    switch cvt_state_of_life(number, life) {
    case cvt_life_runs: scope.resume(life)
    case cvt_life_is_paused where cvt_is_suspended(number, life):
      scope.state.withLock { $0.time.sleepers.suspend(life, at: $0.time.now) }
    case cvt_life_has_ended: scope.end(life)
    default: break
    }
  }
}
