import CReach

/// How a scope uses the main queue, where jobs of the main actor and others run, and code may wait.
struct MainQueueUse {
  /// How many jobs of others the main queue has run since the last one of the main actor.
  var others = 0
  /// Whether code on the main queue waits in the scope's time, and the ready jobs behind it.
  var isWaiting = false
  var behind: [ReadyJob] = []
  /// The code that waits on the main thread, and does what is to be done there meanwhile.
  var guest: Guest?
  /// How often the main queue was let through since a job last ran, where that is needed.
  var rounds = 0

  /// Whether a job has to wait until code on the main queue goes on.
  func keeps(_ job: ReadyJob) -> Bool {
    isWaiting && (job.isOnMain || (guest != nil && job.entry == guest?.entry))
  }

  /// The code on the main queue goes on; returns what is ready behind it, which runs when that has
  /// ended.
  mutating func goOn() -> [ReadyJob] {
    if !isWaiting, let guest = guest.take() { others = guest.others }
    isWaiting = false
    defer { behind = [] }
    return behind
  }
}

/// Code of a task that is not the main actor's, and waits on the main thread.
struct Guest {
  let entry: UnsafeMutablePointer<rch_entry>
  let thread: Int32
  /// How many tasks it keeps from going on.
  let tasks: Int32
  /// How many jobs that are not the main actor's had followed each other there.
  let others: Int
}
